// SPDX-License-Identifier: Apache-2.0

// Foundation without internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Encodable {
  /// The value as one line of JSON with sorted keys, safe to print.
  ///
  /// - Throws: `UnwritableValue` where a number is not finite.
  package func json() throws(UnwritableValue) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      return printableJSON(String(decoding: try encoder.encode(self), as: UTF8.self))
    } catch {
      throw UnwritableValue(error)
    }
  }
}

/// A value that JSON does not have, such as a number that is not finite.
package struct UnwritableValue: Error, CustomStringConvertible {
  package let description: String

  fileprivate init(_ error: any Error) {
    guard case .invalidValue(let value, let context)? = error as? EncodingError else {
      description = "results: found a value that JSON does not have, expected numbers and texts"
      return
    }
    let path = context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
    description =
      "results: found \(value) at \(path.joined(separator: ".")), expected a number that JSON has"
  }
}

/// JSON that is safe to print: what `printable` escapes and encoders leave as it is becomes, for example, `\u009b`.
/// Parsers read the same texts.
package func printableJSON(_ json: String) -> String {
  guard json.utf8.contains(where: { $0 >= 0x7F }) else { return json }
  var result = ""
  for scalar in json.unicodeScalars {
    if scalar.value >= 0x7F, isControl(scalar) {
      for unit in String(scalar).utf16 { result += escaped(unit) }
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

private func escaped(_ unit: UInt16) -> String {
  let digits = String(unit, radix: 16)
  return "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)"
}

/// JSON that is printed piece by piece: as a whole, the description of a small model would take hundreds of megabytes.
package enum JSONPieces {
  /// Printed verbatim.
  case text(String)
  /// Encoded as a whole.
  case value(any Encodable)
  /// An array; each element is made when it is printed.
  case list(any Sequence<JSONPieces>)
  /// Sorted by key; absent members are left out.
  case object([String: JSONPieces?])

  package static func list<Elements: Sequence>(_ elements: Elements) -> JSONPieces
  where Elements.Element: Encodable {
    .list(elements.lazy.map { .value($0) })
  }

  /// Passes the pieces of the text to a closure, in order.
  package func forEach(_ put: (String) throws -> Void) throws {
    switch self {
    case .text(let text): try put(text)
    case .value(let value): try put(try value.json())
    case .list(let elements):
      var separator = "["
      for element in elements {
        try put(separator)
        try element.forEach(put)
        separator = ","
      }
      try put(separator == "[" ? "[]" : "]")
    case .object(let members):
      let members = members.compactMapValues { $0 }.sorted { $0.key < $1.key }
      for (index, (key, value)) in members.enumerated() {
        try put("\(index == 0 ? "{" : ",")\(quotedJSON(key)):")
        try value.forEach(put)
      }
      try put(members.isEmpty ? "{}" : "}")
    }
  }
}

/// A text as a JSON string, in quotes, safe to print.
package func quotedJSON(_ text: String) -> String {
  var bytes: [UInt8] = [UInt8(ascii: "\"")]
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
    case 0..<0x20: bytes += escaped(UInt16(byte)).utf8
    default: bytes.append(byte)
    }
  }
  bytes.append(UInt8(ascii: "\""))
  return printableJSON(String(decoding: bytes, as: UTF8.self))
}
