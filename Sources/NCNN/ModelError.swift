// SPDX-License-Identifier: Apache-2.0

/// Why a model file was refused: which file, where in it, what was found and what was expected.
public struct ModelError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A place in the file.
  public enum Position: Hashable, Sendable {
    /// A line of a `.param` file, counted from 1.
    case line(Int)
    /// An offset in bytes from the start of a `.bin` file.
    case byte(Int)
    /// The file as a whole.
    case file
  }

  /// The kind of error, for programs that react to it.
  public enum Reason: Hashable, Sendable {
    /// The file is not of the kind asked for.
    case wrongFile
    /// A line does not have the form that the format prescribes.
    case syntax
    /// A declared count does not match what follows.
    case count
    /// A parameter has a value that its layer kind does not allow.
    case parameter
    /// A blob without a producer or with two, or a cycle.
    case graph
    /// The weights are too short or too long for the layers.
    case weights
    /// Layers of a kind, or with an option, that this reader does not know.
    case unsupported
    /// A limit of this reader is exceeded.
    case limit
  }

  /// The file's name as the caller gave it.
  public let file: String
  /// Where in the file.
  public let position: Position
  /// The kind of error.
  public let reason: Reason
  /// What was found there.
  public let found: String
  /// What would have been right.
  public let expected: String

  /// Makes an error from its parts; texts from the file are cut to a few thousand bytes.
  public init(file: String, position: Position, reason: Reason, found: String, expected: String) {
    self.file = file
    self.position = position
    self.reason = reason
    self.found = found.cutForMessage
    self.expected = expected.cutForMessage
  }

  /// One sentence: `file:line: found …, expected …`.
  public var description: String {
    let place =
      switch position {
      case .line(let line): "\(file):\(line)"
      case .byte(let offset): "\(file), byte \(offset)"
      case .file: file
      }
    return "\(place): found \(found), expected \(expected)"
  }
}

extension String {
  /// The text, cut to what an error repeats.
  package var cutForMessage: String {
    guard utf8.count > Limits.messageBytes else { return self }
    var end = utf8.index(startIndex, offsetBy: Limits.messageBytes)
    // Not inside a character's bytes.
    while utf8[end] & 0xC0 == 0x80 { end = utf8.index(before: end) }
    return String(unicodeScalars[..<end]) + "…"
  }
}

extension Collection<String> {
  /// The texts as a list, of which an error repeats the first few.
  package var listForMessage: String {
    let shown = prefix(Limits.messageItems).joined(separator: ", ").cutForMessage
    return count > Limits.messageItems ? "\(shown) and \(count - Limits.messageItems) more" : shown
  }
}
