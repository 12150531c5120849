// SPDX-License-Identifier: Apache-2.0

/// Converts a text to UTF-8 as it arrives.
///
/// It may begin with the byte order mark of UTF-8 or of UTF-16, as programs on Windows write them.
package struct TextConversion {
  private enum Encoding: Equatable {
    case utf8
    case utf16(isBigEndian: Bool)
  }

  private let guesses: Bool
  private var encoding: Encoding?
  /// The first bytes of a mark or a character that has arrived in part.
  private var rest: [UInt8] = []

  /// - Parameter guesses: whether a text without a mark is UTF-16 if one of its first two bytes is zero.
  package init(guesses: Bool = true) { self.guesses = guesses }

  /// Whether the text does not end inside a character.
  package var isWhole: Bool { rest.isEmpty }

  /// The bytes in UTF-8, as far as they are complete. No bytes are the end of the text.
  package mutating func utf8(_ bytes: [UInt8]) -> [UInt8] {
    rest += bytes
    if encoding == nil {
      guard rest.count >= (rest.first == 0xEF ? 3 : 2) || bytes.isEmpty else { return [] }
      begin()
    }
    guard case .utf16(let isBigEndian) = encoding else {
      defer { rest = [] }
      return rest
    }
    var units = stride(from: 0, to: rest.count - 1, by: 2).map { offset in
      let pair = (UInt16(rest[offset]), UInt16(rest[offset + 1]))
      return isBigEndian ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0
    }
    if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    rest.removeFirst(2 * units.count)
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private mutating func begin() {
    let marks: [([UInt8], Encoding)] = [
      ([0xEF, 0xBB, 0xBF], .utf8), ([0xFE, 0xFF], .utf16(isBigEndian: true)),
      ([0xFF, 0xFE], .utf16(isBigEndian: false)),
    ]
    if let (mark, encoding) = marks.first(where: { rest.starts(with: $0.0) }) {
      rest.removeFirst(mark.count)
      self.encoding = encoding
    } else if guesses, rest.count >= 2, (rest[0] == 0) != (rest[1] == 0) {
      encoding = .utf16(isBigEndian: rest[0] == 0)
    } else {
      encoding = .utf8
    }
  }
}

/// A whole text in UTF-8, without a byte order mark; half a character at its end becomes U+FFFD.
package func utf8Text(_ bytes: [UInt8]) -> [UInt8] {
  var conversion = TextConversion()
  let text = conversion.utf8(bytes) + conversion.utf8([])
  return conversion.isWhole ? text : text + "\u{FFFD}".utf8
}
