// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFileSystem
@_spi(Tool) import YOLOFaceFiles
import YOLOFaceLibC

/// A pattern of paths: `*`, `?` and `[a-z]` within a name, and `**` for any number of directories. In the
/// locale that `YOLOFaceCommand.main` sets, `?` matches a character, not a byte.
struct PathPattern: Sendable {
  /// The directory that contains all paths that it matches; empty for the current one.
  let base: String
  private let names: [String]

  /// A pattern; nil for a path without `*`, `?` and `[`, apart from those in the names of the directories, if they
  /// exist, that it begins with.
  init?(_ text: String) {
    let parts = pathNames(text, omittingEmpty: false)
    let first = parts.indices.first { index in
      parts[index].utf8.contains { "*?[".utf8.contains($0) }
        && !isDirectory(parts[...index].joined(separator: "/"))
    }
    guard let first else { return nil }
    let directories = parts[..<first].joined(separator: "/")
    base = directories.isEmpty && text.utf8.first == UInt8(ascii: "/") ? "/" : directories
    names = parts[first...].filter { !$0.isEmpty }
  }

  /// A pattern of the end of a path, such as a name; of a whole path if it begins with a slash.
  init(excluding text: String) {
    base = ""
    names =
      (text.utf8.first == UInt8(ascii: "/") ? [] : ["**"]) + pathNames(text).filter { $0 != "." }
  }

  func walk(leavingOut leftOut: [String], excluding excluded: [PathPattern]) -> Walk {
    Walk(base, leavingOut: leftOut, excluding: excluded, enters: reaches, takes: matches)
  }

  /// Whether it matches a path, or one of the directories above.
  func matchesPart(of path: String) -> Bool {
    let names = pathNames(path).filter { $0 != "." }
    return names.indices.contains { matches(names[...$0].joined(separator: "/")) }
  }

  /// Whether the pattern may match something in a directory of that walk.
  private func reaches(_ directory: String) -> Bool {
    let parts = pathNames(directory, below: base)
    let plain = names.prefix { $0 != "**" }
    let leavesNames = plain.count < names.count || parts.count < names.count
    return leavesNames && zip(plain, parts).allSatisfy { fnmatch($0, $1, FNM_PERIOD) == 0 }
  }

  func matches(_ path: String) -> Bool {
    let path = pathNames(path, below: base)
    var (name, part) = (0, 0)
    // On a mismatch, only the last ** needs to take more; backtracking over all of them would take exponential time.
    var last: (name: Int, end: Int)?
    while part < path.count {
      if name < names.count, names[name] == "**" {
        last = (name, part)
        name += 1
      } else if name < names.count, fnmatch(names[name], path[part], FNM_PERIOD) == 0 {
        name += 1
        part += 1
      } else if let (star, end) = last {
        last = (star, end + 1)
        name = star + 1
        part = end + 1
      } else {
        return false
      }
    }
    return names[name...].allSatisfy { $0 == "**" }
  }
}
