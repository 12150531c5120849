import Files
import LibC

/// A pattern of paths: `*`, `?` and `[a-z]` within a name, and `**` for any number of directories. In the
/// locale that `YOLOFaceCommand.main` sets, `?` matches a character, not a byte.
struct PathPattern: Sendable {
  /// The directory that contains all paths that it matches; empty for the current one.
  private let base: String
  private let names: [String]

  /// A pattern; nil for a path without `*`, `?` and `[`.
  init?(_ text: String) {
    let parts = pathNames(text, omittingEmpty: false)
    guard let first = parts.firstIndex(where: { $0.utf8.contains { "*?[".utf8.contains($0) } })
    else {
      return nil
    }
    let directories = parts[..<first].joined(separator: "/")
    base = directories.isEmpty && text.utf8.first == UInt8(ascii: "/") ? "/" : directories
    names = parts[first...].filter { !$0.isEmpty }
  }

  /// The walk over all files that match.
  ///
  /// - Parameter leftOut: paths of directories that are not entered.
  func walk(leavingOut leftOut: [String]) -> Walk {
    Walk(base, leavingOut: leftOut, enters: reaches, takes: matches)
  }

  /// Whether the pattern matches a path of that walk.
  func matches(_ path: String) -> Bool { Self.matches(names, below(path)) }

  /// Whether the pattern may match something in a directory of that walk.
  private func reaches(_ directory: String) -> Bool {
    let parts = below(directory)
    let plain = names.prefix { $0 != "**" }
    let leavesNames = plain.count < names.count || parts.count < names.count
    return leavesNames && zip(plain, parts).allSatisfy { fnmatch($0, $1, FNM_PERIOD) == 0 }
  }

  private func below(_ path: String) -> ArraySlice<String> {
    pathNames(Substring(path.utf8.dropFirst(base.utf8.count)))[...]
  }

  private static func matches(_ names: [String], _ path: ArraySlice<String>) -> Bool {
    var name = 0
    var part = path.startIndex
    // On a mismatch, only the last ** needs to take more; backtracking over all of them would take
    // exponential time.
    var last: (name: Int, end: Int)?
    while part < path.endIndex {
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
