import ArgumentParser
import YOLOFace

/// The options that say which of a picture's faces count, and in which order.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: """
      Which faces come first: those of the best score, the biggest, or those most central in the \
      region or the picture.
      """)
  var select = FaceSelection.Preference.best

  @Option(help: ArgumentHelp("Keep at most so many faces, the first.", valueName: "number"))
  var maxFaces: Int?

  @Option(
    help: ArgumentHelp(
      "Leave out faces whose box has a shorter side than this.", valueName: "pixels"))
  var minSize = 0.0

  @Option(
    help: ArgumentHelp(
      "Leave out faces whose box has its centre outside of this rectangle of the picture's pixels.",
      valueName: "x,y,width,height"))
  var region: Rectangle?

  func validate() throws {
    if let maxFaces, maxFaces < 1 {
      throw ValidationError("--max-faces \(maxFaces): give a number from 1.")
    }
    guard minSize >= 0, minSize.isFinite else {
      throw ValidationError("--min-size \(minSize): give a number of pixels, 0 or more.")
    }
  }

  /// The faces of a picture that count, the preferred first, in the picture's pixels.
  func select(from faces: [Face], of image: RGBImage) -> [Face] {
    FaceSelection(
      preference: select, minimumSide: minSize, region: region, maximumCount: maxFaces
    ).select(from: faces, in: image.size)
  }
}

extension RGBImage {
  /// Width and height in pixels.
  var size: Size { Size(width: Double(width), height: Double(height)) }
}

extension FaceSelection.Preference: ExpressibleByArgument {}

extension Rectangle: ExpressibleByArgument {
  /// Four numbers parted by commas, of which the last two, width and height, are above 0.
  public init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
    guard parts.count == 4, numbers.count == 4, numbers[2] > 0, numbers[3] > 0 else { return nil }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
