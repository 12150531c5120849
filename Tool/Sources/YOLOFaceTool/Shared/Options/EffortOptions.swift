import ArgumentParser
import YOLOFace

/// The options that say how closely pictures are searched.
struct EffortOptions: ParsableArguments {
  @Flag(
    help: """
      Take many looks: the picture enlarged, in tiles, for small faces, and turned, for faces on their \
      side or upside down. Takes forty times as long and more.
      """)
  var thorough = false

  @Option(
    help: ArgumentHelp(
      """
      Also look at the picture up to this many times as large, in tiles, but never enlarged more than 3.2 \
      times. (default: 1; with --thorough by the picture's size)
      """, valueName: "number"))
  var tiles: Int?

  @Option(
    help: ArgumentHelp(
      "Search in 1 or 4 directions, quarter turns apart. (default: 1; 4 with --thorough)",
      valueName: "number"))
  var rotations: Int?

  @Flag(
    help: """
      Look at each face again, cut out, upright and at the size that suits the network: for better \
      landmarks, and fewer false detections. For models of the YOLO5Face family only, and not for anonymise.
      """)
  var refine = false

  func validate() throws {
    try requireNumber("--tiles", tiles, in: SearchEffort.tileCounts)
    if let rotations, rotations != 1, rotations != 4 {
      throw ValidationError("--rotations \(rotations): give 1 or 4.")
    }
  }

  /// How many looks are taken.
  var effort: SearchEffort {
    let usual = thorough ? SearchEffort.thorough : .once
    return SearchEffort(tiles: tiles ?? usual.tiles, rotations: rotations ?? usual.rotations)
  }

  /// What differs from one look, in words; nil where nothing does.
  var text: String? {
    let looks: String? =
      if effort == .thorough { "thorough" } else if effort != .once {
        "\(effort.tiles.map { "tiles \($0)" } ?? "tiles by size"), rotations \(effort.rotations)"
      } else { nil }
    let parts = [looks, refine ? "refined" : nil].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
