// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFaceFileSystem
import YOLOFaceRaster

struct WalkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Leave out directories and files of this name, such as @eaDir or '*.thumb.png', or whose path ends so; may be \
      given several times.
      """, valueName: "pattern"))
  var exclude: [String] = []

  var excluded: [PathPattern] { exclude.map { PathPattern(excluding: $0) } }
}

struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      \(Picture.formats) pictures; directories, whose pictures, including those in subdirectories, \
      are taken in the order of their paths; quoted patterns such as 'photos/**/*.png'; - for one \
      picture on standard input.
      """, valueName: "image"), completion: .file())
  var images: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Take the pictures and directories listed in a file, one per line ending in \\n or \\r\\n; - \
      reads the list from standard input as it arrives.
      """, valueName: "list", visibility: .hidden), completion: .file())
  var filesFrom: String?

  @Flag(
    name: [.customShort("0"), .customLong("null")],
    help: ArgumentHelp(
      "With --files-from: names end with a zero byte instead of a newline.", visibility: .hidden))
  var isNullSeparated = false

  @OptionGroup(visibility: .hidden) var walk: WalkOptions

  func validate() throws {
    guard !images.isEmpty || filesFrom != nil else {
      throw ValidationError("Give a picture, a directory, or --files-from.")
    }
    guard filesFrom != nil || !isNullSeparated else {
      throw ValidationError("--null describes a list: give --files-from too.")
    }
    guard images.count(where: { $0 == "-" }) + (filesFrom == "-" ? 1 : 0) <= 1 else {
      throw ValidationError("Standard input can be read only once: give one - at most.")
    }
  }

  func pictures(
    distinct: [PictureQueue.Distinction], leavingOut outputs: [String]
  ) throws -> PictureQueue {
    let list = try filesFrom.map {
      try NameList(path: $0, separator: UInt8(ascii: isNullSeparated ? "\0" : "\n"))
    }
    return try PictureQueue(
      images, list: list, distinct: distinct, leavingOut: outputs, excluding: walk.excluded)
  }
}
