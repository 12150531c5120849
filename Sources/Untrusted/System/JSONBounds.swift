// SPDX-License-Identifier: Apache-2.0

/// What JSON from outside may hold, which is checked before it is decoded: a decoder reads the whole text, and
/// compares its keys as strings, before anything of it can be looked at.
public struct JSONBounds: Sendable {
  /// How deep values may be nested.
  public var depth: Int
  /// How many values there may be.
  public var values: Int
  /// How many members an object may have.
  public var members: Int
  /// Whether every string is bounded as keys are, since what it is decoded to compares it.
  public var boundsStrings: Bool

  /// The most bytes of a key as it is written.
  public static let keyBytes = 2048

  /// The usual bounds, but for those that are given.
  public init(
    depth: Int = 32, values: Int = 1 << 22, members: Int = 1_000_000, boundsStrings: Bool = false
  ) {
    (self.depth, self.values, self.members) = (depth, values, members)
    self.boundsStrings = boundsStrings
  }

  /// Checks a text.
  ///
  /// Malformed JSON is left to the decoder, which stops at the first wrong byte; only words that JSON does not have,
  /// such as Python's NaN, are refused here, with their line.
  ///
  /// - Returns: the number of members of the outermost object.
  /// - Throws: `JSONError` for too many values, too many members of an object, too deep nesting, a key that is
  ///   too long or has too many marks, a zero byte, and such words.
  @discardableResult
  public func check(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> Int {
    func failure(_ found: String, _ expected: String) -> JSONError {
      JSONError(place: .file, found: found, expected: expected)
    }
    // Decoders also take that for UTF-16, whose bytes this scan would misread.
    guard !bytes.contains(0) else { throw failure("a zero byte", "JSON in UTF-8") }
    // The number of members of each open object; 0 for an array.
    var openMembers: [Int] = []
    var outermost = 0
    var count = 1
    var line = 1
    var (isInString, isEscaped) = (false, false)
    // Behind the quotes of the last string, and before its end.
    var (start, end) = (bytes.startIndex, bytes.startIndex)
    for (offset, byte) in zip(bytes.indices, bytes) {
      if isInString {
        isInString = isEscaped || byte != UInt8(ascii: "\"")
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
        end = offset
        if !isInString, boundsStrings { try requirePlain(bytes[start..<end], "string", line) }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): (isInString, start, end) = (true, offset + 1, offset + 1)
      case UInt8(ascii: ","): count += 1
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        count += 1
        openMembers.append(0)
        guard openMembers.count <= depth else {
          throw failure("values nested deeper", "at most \(depth) deep")
        }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = openMembers.popLast()
      case UInt8(ascii: ":"):
        try requirePlain(bytes[start..<end], "key", line)
        guard let last = openMembers.indices.last else { continue }
        openMembers[last] += 1
        if last == 0 { outermost += 1 }
        guard openMembers[last] <= members else {
          throw failure("more members of an object", "at most \(members)")
        }
      case UInt8(ascii: "\n"): line += 1
      default:
        guard isPartOfJSON(byte) else {
          throw JSONError(
            place: .line(line), found: word(bytes[offset...]),
            expected: "JSON, whose numbers are finite and whose words are true, false and null")
        }
      }
      guard count <= values else { throw failure("more values", "at most \(values)") }
    }
    return outermost
  }
}

/// Refuses a key or a string whose comparison with others may take long.
private func requirePlain(
  _ text: ArraySlice<UInt8>, _ what: String, _ line: Int
) throws(JSONError) {
  guard text.count <= JSONBounds.keyBytes else {
    throw JSONError(
      place: .line(line), found: "a \(what) of \(text.count) bytes",
      expected: "at most \(JSONBounds.keyBytes)")
  }
  guard text.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "\\") }) else { return }
  guard UntrustedText(unescaped(text)).isStreamSafe else {
    throw JSONError(
      place: .line(line), found: "a \(what) with more combining marks behind each other",
      expected: "at most \(UntrustedText.mostMarks)")
  }
}

/// A string's contents, in which `\u` and four hexadecimal digits stand for a unit of UTF-16; other escapes, which
/// stand for no marks, stay as they are.
private func unescaped(_ text: ArraySlice<UInt8>) -> String {
  var units: [UInt16] = []
  var rest = text
  while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
    units += String(decoding: rest[..<escape], as: UTF8.self).utf16
    rest = rest[escape...].dropFirst()
    guard rest.popFirst() == UInt8(ascii: "u"),
      let unit = UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16)
    else { continue }
    units.append(unit)
    rest = rest.dropFirst(4)
  }
  units += String(decoding: rest, as: UTF8.self).utf16
  return String(decoding: units, as: UTF16.self)
}

/// Whether a byte may stand outside strings, except those of JSON's structure.
private func isPartOfJSON(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "E"),
    UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
    true
  default: false
  }
}

/// The letters at the beginning of a text, at most 16, or the one character that is none.
private func word(_ text: ArraySlice<UInt8>) -> String {
  let start = String(decoding: text.prefix(16), as: UTF8.self).unicodeScalars
  let letters = start.prefix { $0.properties.isAlphabetic }
  return String(letters.isEmpty ? start.prefix(1) : letters)
}
