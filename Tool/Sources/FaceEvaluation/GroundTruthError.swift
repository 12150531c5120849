// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting
import YOLOFaceUntrusted

/// Why a file of a data set is refused.
public struct GroundTruthError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A line of the file, a value in it if it is JSON, or the file as a whole.
  public typealias Position = JSONError.Place

  /// The file's name as the caller gave it.
  public let file: String
  /// Where in the file.
  public let position: Position
  /// What was found there, and what was expected instead.
  public let found, expected: String

  /// An error from its parts; of long texts, which may come from the file, the middle is left out.
  public init(file: String, position: Position, found: String, expected: String) {
    self.file = file
    self.position =
      if case .element(let path) = position { .element(shortened(path, to: 300)) } else { position }
    self.found = shortened(found, to: 300)
    self.expected = shortened(expected, to: 300)
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

/// Limits beyond which a file of a data set is refused, far above what published data sets need.
public enum GroundTruthLimits {
  /// Bytes of a file about many pictures.
  public static let fileBytes = 64 << 20
  /// Bytes of a file about one picture.
  public static let pictureFileBytes = 4 << 20
  static let pictures = 1_000_000
  /// Faces in a picture; the fullest of WIDER FACE has about two thousand.
  static let faces = 20_000
  /// The distance from the origin along an axis, in pixels.
  static let coordinate = 1e7
  static let nameBytes = 1024
  /// Bytes of a category's name: it is hashed for each of its faces.
  static let categoryBytes = 255
}
