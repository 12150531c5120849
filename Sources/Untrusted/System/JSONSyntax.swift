// SPDX-License-Identifier: Apache-2.0

/// Reads JSON (RFC 8259) as far as it is right, for the place where it is not: a decoder does not say it.
struct JSONSyntax {
  private var rest: ArraySlice<UInt8>
  /// What follows the part that is right; nil where all is.
  private(set) var faulty: ArraySlice<UInt8>?

  /// Reads a text whose nesting is bounded.
  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
    if !readValue() || !rest.isEmpty { faulty = rest }
  }

  /// Each part reads itself and the white space behind it, and says whether it is right.
  private mutating func readValue() -> Bool {
    skipSpace()
    switch rest.first {
    case UInt8(ascii: "{"):
      return readList(to: "}") { $0.readString() && $0.read(":") && $0.readValue() }
    case UInt8(ascii: "["): return readList(to: "]") { $0.readValue() }
    case UInt8(ascii: "\""): return readString()
    case UInt8(ascii: "t"): return read("true")
    case UInt8(ascii: "f"): return read("false")
    case UInt8(ascii: "n"): return read("null")
    default: return readNumber()
    }
  }

  private mutating func readList(
    to end: StaticString, _ readItem: (inout JSONSyntax) -> Bool
  ) -> Bool {
    rest.removeFirst()
    skipSpace()
    if read(end) { return true }
    repeat {
      guard readItem(&self) else { return false }
    } while read(",")
    return read(end)
  }

  private mutating func readString() -> Bool {
    guard rest.first == UInt8(ascii: "\"") else { return false }
    var end = rest.dropFirst()
    while let byte = end.popFirst(), byte >= 0x20 {
      if byte == UInt8(ascii: "\\") {
        guard let escape = end.popFirst(), "\"\\/bfnrtu".utf8.contains(escape) else { return false }
      }
      guard byte == UInt8(ascii: "\"") else { continue }
      guard String(validating: rest[..<end.startIndex], as: UTF8.self) != nil else { return false }
      rest = end
      skipSpace()
      return true
    }
    return false
  }

  private mutating func readNumber() -> Bool {
    var end = rest
    if end.first == UInt8(ascii: "-") { end.removeFirst() }
    let isZero = end.first == UInt8(ascii: "0")
    guard let whole = end.popDigits(), !isZero || whole == 1 else { return false }
    if end.first == UInt8(ascii: ".") {
      end.removeFirst()
      guard end.popDigits() != nil else { return false }
    }
    if let byte = end.first, "eE".utf8.contains(byte) {
      end.removeFirst()
      if let sign = end.first, "+-".utf8.contains(sign) { end.removeFirst() }
      guard end.popDigits() != nil else { return false }
    }
    rest = end
    skipSpace()
    return true
  }

  private mutating func read(_ word: StaticString) -> Bool {
    guard let end = UntrustedText(rest).dropping(word) else { return false }
    rest = end.bytes
    skipSpace()
    return true
  }

  private mutating func skipSpace() { rest = rest.drop { " \t\r\n".utf8.contains($0) } }
}

extension ArraySlice<UInt8> {
  /// Removes the digits at the beginning; nil where there are none.
  fileprivate mutating func popDigits() -> Int? {
    let digits = prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    self = self[digits.endIndex...]
    return digits.isEmpty ? nil : digits.count
  }
}
