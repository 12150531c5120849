// SPDX-License-Identifier: Apache-2.0

/// A count with its noun: `1 face`, `2 faces`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}

/// The name of an enumeration's case in the spelling of options: `aspectFit` becomes `aspect-fit`.
package func hyphenated(_ value: some Any) -> String {
  "\(value)".map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
}

/// A text that is safe to print: control characters, line separators, stand-ins for bytes that are not UTF-8, and what
/// is invisible or turns the direction of writing, which a file name may contain, are escaped, for example as `\u{1B}`, and so is the backslash of a text that
/// looks like that. Joiners are not, since words of some scripts and emoji have them.
package func printable(_ text: String) -> String {
  let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }
  if isPlain { return text }
  var result = ""
  var rest = text.unicodeScalars[...]
  while let scalar = rest.popFirst() {
    let seemsEscape = scalar == "\\" && rest.starts(with: "u{".unicodeScalars)
    if seemsEscape || isControl(scalar) {
      result += escaped(scalar)
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// A character as `printable` escapes it.
package func escaped(_ scalar: Unicode.Scalar) -> String {
  "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
}

/// The text of which `printable` made another.
package func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  var rest = text
  while let start = rest.firstIndex(of: UInt8(ascii: "\\")) {
    result += rest[..<start]
    rest = rest[start...]
    // The longest is \u{10FFFF}.
    if rest.starts(with: "\\u{".utf8), let end = rest.prefix(10).firstIndex(of: UInt8(ascii: "}")),
      let value = UInt32(String(decoding: rest[(start + 3)..<end], as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(value)
    {
      result += String(scalar).utf8
      rest = rest[(end + 1)...]
    } else {
      result.append(rest.removeFirst())
    }
  }
  return result + rest
}

/// A text without its middle where it is longer than a message may be.
package func shortened(_ text: String, to limit: Int) -> String {
  let scalars = text.unicodeScalars
  guard scalars.count > limit else { return text }
  return "\(String(scalars.prefix(limit / 2)))…\(String(scalars.suffix(limit / 2)))"
}

/// Whether `printable` escapes a character.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  [.control, .format, .lineSeparator, .paragraphSeparator]
    .contains(scalar.properties.generalCategory) && ![0x200C, 0x200D].contains(scalar.value)
    || (0x10FE80...0x10FEFF).contains(scalar.value)
}

/// Rows of words in aligned columns.
package func table(_ rows: [[String]]) -> String { tableLines(rows).joined(separator: "\n") }

/// The lines of a table, each made on demand: one long word makes all of them long.
package func tableLines(_ rows: [[String]]) -> some Sequence<String> {
  let widths = rows[0].indices.map { column in rows.lazy.map { $0[column].count }.max() ?? 0 }
  return rows.lazy.map { row in
    var line = zip(row, widths).map { word, width in
      word + String(repeating: " ", count: width - word.count)
    }.joined(separator: "  ")
    while line.last == " " { line.removeLast() }
    return line
  }
}

/// A number rounded to decimal places, by default to thousandths; zero has no sign.
package func rounded(_ number: Double, places: Int = 3) -> Double {
  let factor = powerOfTen(places)
  return (number * factor).rounded() / factor + 0
}

/// A number with a fixed count of decimals; one that rounds to zero has no sign.
package func fixed(_ number: Double, decimals: Int) -> String {
  let units = (number * powerOfTen(decimals)).rounded()
  // Beyond 2⁵³ a double has no fraction.
  guard units.magnitude < 0x1p53 else { return "\(number)" }
  var digits = String(Int(units.magnitude))
  digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  return "\(units < 0 ? "-" : "")\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
}

/// A number of bytes in a suitable unit, whole or with one decimal: `1.5 KiB`.
package func binarySize(_ bytes: Int) -> String {
  func inUnits(of unit: Int) -> String {
    bytes.isMultiple(of: unit)
      ? "\(bytes / unit)" : fixed(Double(bytes) / Double(unit), decimals: 1)
  }
  return switch bytes {
  case ..<1024: "\(bytes) B"
  case ..<(1 << 20): "\(inUnits(of: 1024)) KiB"
  default: "\(inUnits(of: 1 << 20)) MiB"
  }
}

private func powerOfTen(_ exponent: Int) -> Double {
  (0..<exponent).reduce(1) { product, _ in product * 10 }
}
