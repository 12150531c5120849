import FaceDecoding
import Formatting
import Untrusted

/// Reads a text file line by line, trimmed of white space. Lines end as on any system, and the text may be in UTF-16.
struct TextLines {
  let source: String
  /// The number of the last line read, from 1.
  private(set) var number = 0
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8], source: String) {
    self.source = source
    rest = utf8Text(bytes)[...]
  }

  mutating func next() -> UntrustedText? {
    guard !rest.isEmpty else { return nil }
    let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    rest = rest[line.endIndex...]
    rest = rest.dropFirst(rest.starts(with: "\r\n".utf8) ? 2 : 1)
    number += 1
    return UntrustedText(line).trimming(where: isSpace)
  }

  /// The next line that is not empty; nil at the end.
  mutating func nextWithText() -> UntrustedText? {
    while let line = next() {
      if !line.isEmpty { return line }
    }
    return nil
  }

  func failure(_ found: String, _ expected: String) -> GroundTruthError {
    GroundTruthError(file: source, position: .line(number), found: found, expected: expected)
  }

  /// The most numbers of a line, more than any form has.
  private static let mostNumbers = 21

  /// The numbers of a line, separated by white space, each finite and within the limit.
  func numbers(in line: UntrustedText) throws(GroundTruthError) -> [Double] {
    let words = line.split(maxSplits: Self.mostNumbers, whereSeparator: isSpace)
    guard words.count <= Self.mostNumbers else {
      throw failure("more numbers", "at most \(Self.mostNumbers)")
    }
    return try words.map { word throws(GroundTruthError) in
      guard let number = word.decimal(upTo: GroundTruthLimits.coordinate) else {
        throw failure(
          "\"\(word.excerpt(40))\"", "a number up to \(Int(GroundTruthLimits.coordinate))")
      }
      return number
    }
  }

  func box(_ numbers: [Double]) throws(GroundTruthError) -> Rectangle {
    guard numbers[2] >= 0, numbers[3] >= 0 else {
      throw failure("a width or height below 0", "0 or more")
    }
    return Rectangle(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
