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
    try requireNumber("--max-faces", maxFaces, in: 1...)
    try requireNumber("--min-size", minSize, in: 0...)
  }

  /// The selected faces of a picture, the preferred first, in the picture's pixels.
  ///
  /// - Parameters:
  ///   - faces: the faces found.
  ///   - image: the stored picture.
  ///   - space: the view of the picture; nil for the picture as stored.
  ///   - quality: how good the picture of a face must be; nil for any.
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

/// What makes one face come before another.
enum FacePreference: String, CaseIterable, ExpressibleByArgument {
  case best, biggest, central, sharpest

  /// The preference by score and box alone.
  fileprivate var ofPlace: FaceSelection.Preference {
    switch self {
    case .best, .sharpest: .best
    case .biggest: .biggest
    case .central: .central
    }
  }
}
