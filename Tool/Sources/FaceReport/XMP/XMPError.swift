/// What is wrong with an XMP file.
public struct XMPError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file's name.
  public let source: String
  /// The line, from 1.
  public let line: Int
  /// What is there.
  public let found: String
  /// What was expected.
  public let expected: String

  /// The file, the line, what was found and what was expected.
  public var description: String { "\(source):\(line): found \(found), expected \(expected)" }
}
