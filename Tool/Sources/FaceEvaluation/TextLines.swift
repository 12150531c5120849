// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceFormatting
import YOLOFaceUntrusted

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

  /// The numbers of a line, separated by white space, each finite and within the limit. Commas separate them too where
  /// there are points, and are points themselves where there are none.
  func numbers(
    in line: UntrustedText, most: Int = mostNumbers
  ) throws(GroundTruthError) -> [Double] {
    let hasPoints = line.contains(UInt8(ascii: "."))
    let words = line.split(maxSplits: most) {
      isSpace($0) || hasPoints && $0 == UInt8(ascii: ",")
    }
    guard words.count <= most else {
      throw failure("more numbers", "at most \(most)")
    }
    return try words.map { word throws(GroundTruthError) in
      guard let number = word.withPoint.decimal(upTo: GroundTruthLimits.coordinate) else {
        throw failure(
          "\"\(word.excerpt(40))\"", "a number up to \(Int(GroundTruthLimits.coordinate))")
      }
      return number
    }
  }

  func box(_ numbers: [Double]) throws(GroundTruthError) -> Box {
    guard numbers[2] >= 0, numbers[3] >= 0 else {
      throw failure("a width or height below 0", "0 or more")
    }
    return Box(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

extension UntrustedText {
  /// The text with a decimal point in place of a comma.
  var withPoint: UntrustedText {
    guard count <= 64, let (before, after) = cut(at: UInt8(ascii: ",")) else { return self }
    return UntrustedText(before.bytes + [UInt8(ascii: ".")] + after.bytes)
  }
}
