// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// Reads rows of comma-separated values (RFC 4180), each a list of values without their quotes.
package struct CommaSeparatedRows {
  /// The line, counted from 1, where the last row begins.
  package private(set) var line = 1
  private var nextLine = 1
  private var rest: ArraySlice<UInt8>

  /// The most values of a row, more than any form has.
  package static let most = 256

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The next row, which an empty line is, too, with one empty value; nil at the end. One that is too long has one
  /// value more than the most.
  package mutating func next() -> [UntrustedText]? {
    if rest.isEmpty { return nil }
    line = nextLine
    var values: [UntrustedText] = []
    while true {
      let value = value()
      if values.count <= Self.most { values.append(value) }
      let end = rest.popFirst()
      if end == UInt8(ascii: ",") { continue }
      if end == UInt8(ascii: "\r"), rest.first == UInt8(ascii: "\n") { rest.removeFirst() }
      nextLine += 1
      return values
    }
  }

  private mutating func value() -> UntrustedText {
    let quote = UInt8(ascii: "\"")
    var value: [UInt8] = []
    var isInside = false
    while let byte = rest.first, isInside || !",\r\n".utf8.contains(byte) {
      rest.removeFirst()
      if byte == UInt8(ascii: "\n") { nextLine += 1 }
      if byte != quote {
        value.append(byte)
      } else if isInside, rest.first == quote {
        value.append(quote)
        rest.removeFirst()
      } else {
        isInside.toggle()
      }
    }
    return UntrustedText(value)
  }
}
