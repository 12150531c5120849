// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace
import YOLOFaceFormatting
import YOLOFaceReport

struct OrientationOptions: ParsableArguments {
  @Option(
    help: """
      How to turn the picture upright after what its file says: the name or number, 1 to 8, of an \
      Exif orientation. Faces are detected in the upright picture.
      """)
  var orientation: Orientation?

  func upright(_ image: RGBImage) -> RGBImage { image.upright(from: orientation ?? .up) }
}

/// The options that define the view in which results are printed and drawn; without them, it is the picture itself.
struct ViewOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Print and draw faces where a view of this size, WIDTHxHEIGHT, shows them. Faces that are cut out are \
      not turned to the view.
      """,
      valueName: "size"))
  var view: ImageSize?

  @Option(help: "How the picture fills the view; aspect-fit by default.")
  var gravity: Gravity?

  @Flag(help: "Mirror the picture left to right, as a front camera shows it.")
  var mirror = false

  @OptionGroup var turning: OrientationOptions

  @Option(
    help: """
      How positions are printed: in pixels or fractions from the top left, in pixels from the bottom \
      left, or in fractions from there, as in Vision; pixels by default.
      """)
  var coordinates: CoordinateSystem?

  func validate() throws {
    guard view != nil || gravity == nil else {
      throw ValidationError("--gravity says how to fill a view: give --view too.")
    }
    if let view, view.width * view.height > Picture.Limits().maximumPixels {
      throw ValidationError(
        "--view \(view): give one of at most \(Picture.Limits().maximumPixels) pixels.")
    }
  }

  var orientation: Orientation? { turning.orientation }

  var isOfStoredPicture: Bool { !isView && coordinates == nil }

  private var isView: Bool { view != nil || mirror || orientation != nil }

  var reportSpace: ReportSpace { ReportSpace(coordinates ?? .pixels, isView: isView) }

  /// The view of a picture; nil if the options leave the picture as it is stored.
  func space(of image: RGBImage) throws(ValueError) -> ViewSpace? {
    if isOfStoredPicture { return nil }
    let size = view.map { Size2D(width: Double($0.width), height: Double($0.height)) }
    return try ViewSpace(
      imageSize: image.size, orientation: orientation ?? .up, isMirrored: mirror,
      placement: size.map { .view($0, gravity ?? .aspectFit) } ?? .picture,
      coordinateSystem: coordinates ?? .pixels)
  }
}

extension Gravity: @retroactive ExpressibleByArgument, NamedArgument {
  /// A name such as `aspect-fit`.
  public var argument: String { hyphenated(self) }
}

extension Orientation: @retroactive ExpressibleByArgument, NamedArgument {
  /// The orientation of a name such as `up-mirrored`, or of a number of Exif.
  public init?(argument: String) {
    let orientation = Orientation.allCases.first {
      $0.argument == argument || "\($0.rawValue)" == argument
    }
    guard let orientation else { return nil }
    self = orientation
  }

  /// A name such as `up-mirrored`.
  public var argument: String { hyphenated(self) }

  /// The names, in the order of Exif's numbers.
  public static let allValueStrings = allCases.map(\.argument)
}

extension CoordinateSystem: @retroactive ExpressibleByArgument, NamedArgument {
  /// A name such as `vision`.
  public var argument: String { name }
}

struct DrawingOptions: ParsableArguments {
  @Flag(help: "With --annotate: write no scores or IDs beside the boxes.")
  var noLabels = false

  @Flag(help: "With --annotate: draw no landmarks.")
  var noLandmarks = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      With --annotate: the width of the boxes' lines, \(DrawingStyle.lineWidths.words); by default \
      it depends on the sizes of picture and face.
      """, valueName: "pixels"))
  var lineWidth: Double?

  var style: DrawingStyle {
    DrawingStyle(drawsLabels: !noLabels, drawsLandmarks: !noLandmarks, lineWidth: lineWidth)
  }

  func validate() throws {
    try requireNumber("--line-width", lineWidth, in: DrawingStyle.lineWidths)
  }

  func require(_ annotate: String?) throws {
    guard annotate != nil || style == DrawingStyle() else {
      throw ValidationError(
        "--no-labels, --no-landmarks and --line-width say how to draw: give --annotate too.")
    }
  }
}
