/// Why a file of a data set was refused: which one, where in it, what was found and what was expected.
public struct TruthError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where in the file the trouble lies.
  public enum Position: Hashable, Sendable {
    /// A line, counted from 1.
    case line(Int)
    /// A value in a JSON file, such as `annotations[3].bbox`.
    case element(String)
    /// The file as a whole.
    case file
  }

  /// The file's name as the caller gave it.
  public let file: String
  /// Where in the file.
  public let position: Position
  /// What was found there.
  public let found: String
  /// What would have been right.
  public let expected: String

  /// Makes an error from its parts; what comes from the file is cut after some hundred bytes.
  public init(file: String, position: Position, found: String, expected: String) {
    self.file = file
    self.position =
      if case .element(let path) = position { .element(path.cutForMessage) } else { position }
    self.found = found.cutForMessage
    self.expected = expected.cutForMessage
  }

  /// One sentence: `file:line: found …, expected …`.
  public var description: String {
    let place =
      switch position {
      case .line(let line): "\(file):\(line)"
      case .element(let path): "\(file), \(path)"
      case .file: file
      }
    return "\(place): found \(found), expected \(expected)"
  }
}

/// What a file of a data set may ask for before it is refused: far above what published data sets
/// need.
enum TruthLimits {
  /// Pictures of a data set.
  static let pictures = 1_000_000
  /// Faces of a picture; the fullest of WIDER FACE has about two thousand.
  static let faces = 20_000
  /// Pixels from the origin, in either direction.
  static let coordinate = 1e7
  /// The length of a picture's path.
  static let nameBytes = 1024
  /// How deep the elements of an XML file or the values of a JSON file may be nested.
  static let depth = 32
  /// Values of a JSON file: twice as many as all faces of WIDER FACE take in the form of COCO.
  static let values = 1 << 22
}

extension String {
  /// The text for an error, cut off where it is longer than one can read.
  fileprivate var cutForMessage: String {
    let limit = 300
    guard utf8.count > limit else { return self }
    return String(decoding: utf8.prefix(limit), as: UTF8.self) + "…"
  }
}
