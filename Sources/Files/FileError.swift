/// Why a file could not be read or written.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file's path as the caller gave it.
  public let path: String
  /// What was found.
  public let found: String
  /// What was expected instead.
  public let expected: String
  /// Whether the file is larger than the limit that the caller set.
  public let exceedsLimit: Bool

  /// An error from its parts.
  public init(path: String, found: String, expected: String, exceedsLimit: Bool = false) {
    self.path = path
    self.found = found
    self.expected = expected
    self.exceedsLimit = exceedsLimit
  }

  /// One sentence: `path: found …, expected …`.
  public var description: String { "\(path): found \(found), expected \(expected)" }
}
