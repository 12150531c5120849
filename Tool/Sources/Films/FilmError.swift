/// Why a film could not be read or written.
public struct FilmError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The film's path as the caller gave it.
  public let path: String
  /// What was found.
  public let found: String
  /// What was expected instead.
  public let expected: String

  /// One sentence: `path: found …, expected …`.
  public var description: String { "\(path): found \(found), expected \(expected)" }
}
