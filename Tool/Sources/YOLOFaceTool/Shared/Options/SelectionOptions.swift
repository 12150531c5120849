// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace
import YOLOFaceReport

struct SelectionOptions: ParsableArguments {
  @Option(
    help: """
      Which faces come first: those with the best score, the biggest, those most central in the \
      region or the picture, or the sharpest.
      """)
  var select = FacePreference.best

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Keep only the first faces, at most this many.", valueName: "number"))
  var maxFaces: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Leave out faces whose box has a side shorter than this many pixels of the picture.",
      valueName: "pixels", visibility: .hidden))
  var minSize = 0.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Leave out faces whose box has its centre outside this rectangle, in pixels of the picture, or \
      of the view if one is given.
      """, valueName: "x,y,width,height", visibility: .hidden))
  var region: Box?

  func validate() throws {
    try requireNumber("--max-faces", maxFaces, in: 1...)
    try requireNumber("--min-size", minSize, in: 0...)
  }

  /// The selected faces of a stored picture, the preferred first, in its pixels.
  func select(
    from faces: [Face], of image: RGBImage, in space: ViewSpace?, quality: QualityOptions? = nil
  ) -> [Face] {
    // Of faces that are judged, those count that are left, in their new order.
    let isJudged = select == .sharpest || quality?.minQuality != nil
    let region = region.map { space?.written(in: .pixels).unmap($0) ?? $0 }
    let selection = FaceSelection(
      preference: select.ofPlace, minimumSide: minSize, region: region,
      maximumCount: isJudged ? nil : maxFaces)
    var chosen = selection.select(from: faces, in: image.size)
    if let quality { chosen = quality.select(from: chosen, in: image) }
    if select == .sharpest { chosen = image.sharpestFirst(chosen) }
    return Array(chosen.prefix(maxFaces ?? chosen.count))
  }
}

enum FacePreference: String, CaseIterable, ExpressibleByArgument {
  case best, biggest, central, sharpest

  /// The sharpest are sought among all, the best first.
  fileprivate var ofPlace: FaceSelection.Preference { .init(rawValue: rawValue) ?? .best }
}

struct QualityOptions: ParsableArguments {
  @Flag(
    help: """
      Print how good the picture of each face is, from 0 to 1: the product of its size, sharpness, \
      light, pose and how much of it is in the picture. JSON has all six numbers.
      """)
  var quality = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Leave out faces of a lower quality, 0 to 1.", valueName: "quality"))
  var minQuality: Double?

  func validate() throws { try requireNumber("--min-quality", minQuality, in: 0...1) }

  func select(from faces: [Face], in image: RGBImage) -> [Face] {
    guard let minQuality else { return faces }
    return faces.filter { (image.quality(of: $0)?.score ?? 0) >= minQuality }
  }

  func report(of faces: [Face], in image: RGBImage) -> [DetectionReport.Face.Quality?] {
    guard quality || minQuality != nil else { return faces.map { _ in nil } }
    return faces.map { image.quality(of: $0).map(DetectionReport.Face.Quality.init) }
  }
}
