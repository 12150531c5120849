import ArgumentParser
import YOLOFace

/// The options that select and order a picture's faces.
struct SelectionOptions: ParsableArguments {
  @Option(
    help: """
      Which faces come first: those with the best score, the biggest, those most central in the \
      region or the picture, or the sharpest.
      """)
  var select = FacePreference.best

  @Option(help: ArgumentHelp("Keep only the first faces, at most this many.", valueName: "number"))
  var maxFaces: Int?

  @Option(
    help: ArgumentHelp(
      "Leave out faces whose box has a side shorter than this many pixels of the picture.",
      valueName: "pixels"))
  var minSize = 0.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Leave out faces whose box has its centre outside this rectangle, in pixels of the picture, or \
      of the view if one is given.
      """, valueName: "x,y,width,height"))
  var region: Rectangle?

  func validate() throws {
    if let maxFaces, maxFaces < 1 {
      throw ValidationError("--max-faces \(maxFaces): give a number of at least 1.")
    }
    guard minSize >= 0, minSize.isFinite else {
      throw ValidationError("--min-size \(minSize): give a number of pixels, 0 or more.")
    }
  }

  /// The selected faces of a picture, the preferred first, in the picture's pixels.
  ///
  /// - Parameters:
  ///   - faces: the faces found.
  ///   - image: the stored picture.
  ///   - space: the view of the picture; nil for the picture as stored.
  ///   - count: the most faces; nil for all.
  func select(
    from faces: [Face], of image: RGBImage, in space: ViewSpace?, atMost count: Int?
  ) -> [Face] {
    let region = region.map { space?.written(in: .pixels).unmap($0) ?? $0 }
    var selection = FaceSelection(minimumSide: minSize, region: region, maximumCount: count)
    switch select {
    case .best: selection.preference = .best
    case .biggest: selection.preference = .biggest
    case .central: selection.preference = .central
    case .sharpest:
      selection.maximumCount = nil
      let faces = image.sharpestFirst(selection.select(from: faces, in: image.size))
      return Array(faces.prefix(count ?? faces.count))
    }
    return selection.select(from: faces, in: image.size)
  }
}

/// What makes one face come before another.
enum FacePreference: String, CaseIterable, ExpressibleByArgument {
  case best, biggest, central, sharpest
}
