// SPDX-License-Identifier: Apache-2.0

/// A text from outside: bytes, which should be UTF-8, compared, hashed and searched as such.
///
/// `String` compares and hashes by what a reader sees, so it sorts the combining marks behind each letter, in a
/// time that grows with the square of their number; `Character` has no limit to its length either. A hostile file
/// makes either of them take hours. So a reader keeps what a file says in this type until it knows what it is;
/// names are the same where their bytes are. A `String` is made of it to be shown, or once it is known to be short.
///
/// It is a collection of its bytes, and a part of it shares the storage of the whole.
public struct UntrustedText: Sendable {
  /// The bytes, which need not be valid UTF-8.
  public let bytes: ArraySlice<UInt8>

  /// A text of these bytes.
  @inlinable public init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// A text of these bytes.
  @inlinable public init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  /// The bytes of a string.
  public init(_ string: some StringProtocol) { bytes = Array(string.utf8)[...] }
}

extension UntrustedText: RandomAccessCollection {
  /// Where the first byte is, not always 0.
  @inlinable public var startIndex: Int { bytes.startIndex }
  /// Behind the last byte.
  @inlinable public var endIndex: Int { bytes.endIndex }
  /// The byte at a position.
  @inlinable public subscript(position: Int) -> UInt8 { bytes[position] }
  /// The part at these positions.
  @inlinable public subscript(bounds: Range<Int>) -> UntrustedText { UntrustedText(bytes[bounds]) }
}

extension UntrustedText: Hashable, Comparable {
  /// Whether both have the same bytes.
  public static func == (one: UntrustedText, other: UntrustedText) -> Bool {
    one.bytes == other.bytes
  }

  /// Feeds the bytes.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    hasher.combine(UInt8.max)
  }

  /// Whether one comes before another, byte by byte.
  public static func < (one: UntrustedText, other: UntrustedText) -> Bool {
    one.bytes.lexicographicallyPrecedes(other.bytes)
  }

  /// Whether the bytes are those of a literal.
  public static func == (text: UntrustedText, literal: StaticString) -> Bool {
    text.count == literal.utf8CodeUnitCount && text.starts(with: literal)
  }

  /// As `==`, for `switch`.
  public static func ~= (literal: StaticString, text: UntrustedText) -> Bool { text == literal }
}

extension UntrustedText {
  /// Whether the first bytes are those of a literal.
  public func starts(with literal: StaticString) -> Bool {
    guard count >= literal.utf8CodeUnitCount else { return false }
    return literal.withUTF8Buffer { bytes.starts(with: $0) }
  }

  /// Whether the last bytes are those of a literal.
  public func ends(with literal: StaticString) -> Bool {
    suffix(literal.utf8CodeUnitCount) == literal
  }

  /// What follows a literal at the beginning; nil where the text does not begin with it.
  public func dropping(_ literal: StaticString) -> UntrustedText? {
    starts(with: literal) ? dropFirst(literal.utf8CodeUnitCount) : nil
  }

  /// What follows the first occurrence of a literal; nil where there is none.
  public func behind(_ literal: StaticString) -> UntrustedText? {
    indices.lazy.compactMap { self[$0...].dropping(literal) }.first
  }

  /// The text before the first of these bytes and that behind it; nil where there is none.
  public func cut(at separator: UInt8) -> (before: UntrustedText, after: UntrustedText)? {
    firstIndex(of: separator).map { (self[..<$0], self[($0 + 1)...]) }
  }

  /// The parts between these bytes, one more than there are of them, each found on demand: a text may be of nothing
  /// else.
  public func parts(between separator: UInt8) -> some Sequence<UntrustedText> {
    sequence(state: UntrustedText?.some(self)) { rest in
      let halves = rest?.cut(at: separator)
      defer { rest = halves?.after }
      return halves?.before ?? rest
    }
  }

  /// The lines that hold more than white space, each found on demand, without the space around it and with its number
  /// from 1.
  public var lines: some Sequence<(number: Int, text: UntrustedText)> {
    sequence(state: (position: startIndex, number: 1)) { state in
      while state.position < endIndex, isSpace(bytes[state.position]) {
        if bytes[state.position] == UInt8(ascii: "\n") { state.number += 1 }
        state.position += 1
      }
      guard state.position < endIndex else { return nil }
      let rest = self[state.position...]
      let line = rest[..<(rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex)]
      state.position = line.endIndex
      return (state.number, line.trimming(where: isSpace))
    }
  }

  /// The text without the bytes at both ends for which this holds.
  public func trimming(where isOutside: (UInt8) -> Bool) -> UntrustedText {
    let rest = drop(while: isOutside)
    let end = rest.lastIndex { !isOutside($0) }.map { $0 + 1 } ?? rest.startIndex
    return rest[..<end]
  }
}

extension UntrustedText: CustomStringConvertible {
  /// The text as a string, whose comparison may take long; what is not UTF-8 becomes U+FFFD.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// The text as a string, nil where it is not ASCII: one that is compares and hashes byte by byte.
  public var ascii: String? { bytes.allSatisfy { $0 < 0x80 } ? description : nil }

  /// The most combining marks that follow each other in a text that may be compared as a string: Unicode's own limit
  /// for text that is read as it arrives (UAX #15, 13, "Stream-Safe Text Process").
  public static let mostMarks = 30

  /// Whether a string of the text is compared in a time that grows with its length alone: it has no more combining
  /// marks behind each other than `mostMarks`.
  public var isStreamSafe: Bool {
    guard count > Self.mostMarks, contains(where: { $0 >= 0x80 }) else { return true }
    var run = 0
    for scalar in description.unicodeScalars {
      run = scalar.properties.canonicalCombiningClass == .notReordered ? 0 : run + 1
      if run > Self.mostMarks { return false }
    }
    return true
  }

  /// The first bytes as a string, for a message: not more than this many, and no part of a character.
  public func excerpt(_ most: Int) -> String {
    guard count > most else { return description }
    var end = startIndex + Swift.max(0, most)
    while end > startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
    return self[..<end].description + "…"
  }

  /// The integer that the whole text is, in decimal digits with or without a sign; nil where it is none, or does
  /// not fit.
  public func integer<Integer: FixedWidthInteger>(_ type: Integer.Type = Int.self) -> Integer? {
    // Longer ones are no use, and their strings would be copies.
    count <= 64 ? Integer(description) : nil
  }

  /// The number that the whole text is, in decimal digits with a sign, a point and an exponent as they occur; nil
  /// where it is none, or its magnitude is beyond the limit.
  ///
  /// `Double(_:)` alone would also take hexadecimal digits and names of infinity, and end at a zero byte.
  public func decimal<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    upTo limit: Number = Double.greatestFiniteMagnitude
  ) -> Number? {
    let isDecimal = bytes.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
    }
    guard isDecimal, let number = Number(description) else { return nil }
    return number.magnitude <= limit ? number : nil
  }
}

/// Whether a byte is white space of ASCII.
@inlinable public func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
}
