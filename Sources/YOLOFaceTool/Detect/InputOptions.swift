import ArgumentParser
import Files
import YOLOFace

/// The options that say which pictures are taken.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      \(Picture.formats) pictures; directories, whose pictures are taken in the order of their \
      paths, including those in directories below them; patterns in quotes such as \
      'photos/**/*.png'; - for one picture on standard input.
      """, valueName: "image"))
  var images: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Take the pictures and directories listed in a file, one per line ending in \\n or \\r\\n; - \
      reads the list from standard input as it arrives.
      """, valueName: "list"))
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: "With --files-from: names end with a zero byte instead of a newline.")
  var isNullSeparated = false

  func validate() throws {
    guard !images.isEmpty || filesFrom != nil else {
      throw ValidationError("Give a picture, a directory, or --files-from.")
    }
    guard !images.contains(""), filesFrom != "" else {
      throw ValidationError("An empty path: give that of a PNG picture or of a directory.")
    }
    guard filesFrom != nil || !isNullSeparated else {
      throw ValidationError("--null says how a list is written: give --files-from too.")
    }
    guard images.count(where: { $0 == "-" }) + (filesFrom == "-" ? 1 : 0) <= 1 else {
      throw ValidationError("Standard input can be read once.")
    }
  }

  /// The pictures, which are looked up as they are taken.
  ///
  /// - Parameters:
  ///   - namesAreUnique: whether a picture fails that is called like one before it.
  ///   - outputs: directories below those that are given in which pictures are not looked for.
  /// - Throws: `ValidationError` where a directory or a pattern has none, `FileError` where it or the
  ///   list cannot be read.
  func source(
    namesAreUnique: Bool, leavingOut outputs: [String]
  ) throws -> PictureSource {
    var places = images.map(PictureSource.Place.init)
    if let filesFrom {
      places.append(
        .list(try NameList(path: filesFrom, separator: UInt8(ascii: isNullSeparated ? "\0" : "\n")))
      )
    }
    for place in places { try place.requirePicture() }
    return PictureSource(
      places: places, namesAreUnique: namesAreUnique, outputs: outputs)
  }
}
