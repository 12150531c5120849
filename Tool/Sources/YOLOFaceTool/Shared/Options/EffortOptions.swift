// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
@_spi(Tool) import YOLOFace

struct EffortOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      once: one look at the picture, or at parts of a long one. checked: also which way up faces are, and \
      better landmarks of large ones; takes twice as long. refined: six more looks at each face, for better \
      landmarks and fewer false detections. thorough: the picture shrunk, enlarged in tiles, and turned; takes \
      forty times as long and more. (default: once, or what is said above)
      """, valueName: "name"))
  var effort: SearchEffort?

  @Flag(help: "The same as --effort thorough; with another --effort, as closely as both say.")
  var thorough = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Also look at the picture up to this many times as large, in tiles, but never enlarged more than 3.2 \
      times. (default: 1; by the picture's size where thorough)
      """, valueName: "number", visibility: .hidden))
  var tiles: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Search in 1 or 4 directions, quarter turns apart. (default: 1; 4 where thorough)",
      valueName: "number", visibility: .hidden))
  var rotations: Int?

  @Flag(
    help: ArgumentHelp(
      "The same as --effort refined; with another --effort, as closely as both say.",
      visibility: .hidden))
  var refine = false

  func validate() throws {
    try requireNumber("--tiles", tiles, in: SearchEffort.tileCounts)
    if let rotations, rotations != 1, rotations != 4 {
      throw ValidationError("--rotations \(rotations): give 1 or 4.")
    }
  }

  /// How many looks are taken; `usual` holds where no option says otherwise.
  func search(usual: SearchEffort = .once) -> SearchEffort {
    let asked = effort ?? usual
    var search = thorough ? SearchEffort.thorough : asked
    search.closeLooks = asked.closeLooks
    if refine { search.closeLooks = .refined }
    return SearchEffort(
      tiles: tiles ?? search.tiles, rotations: rotations ?? search.rotations,
      looksSmall: search.looksSmall, closeLooks: search.closeLooks)
  }

  /// What differs from one look, in words; nil where nothing does.
  var text: String? {
    let search = search()
    var passes = SearchEffort.thorough
    passes.closeLooks = search.closeLooks
    var parts: [String] = []
    if search == passes {
      parts = ["thorough"]
    } else if !search.isOnePass {
      parts = [
        search.tiles.map { "tiles \($0)" } ?? "tiles by size", "rotations \(search.rotations)",
      ]
    }
    if search.closeLooks != .none { parts.append("\(search.closeLooks)") }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension SearchEffort: @retroactive ExpressibleByArgument {
  /// The effort of a name.
  public init?(argument: String) { self.init(name: argument) }

  /// The names.
  public static var allValueStrings: [String] { names }

  /// The names.
  public static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }
}
