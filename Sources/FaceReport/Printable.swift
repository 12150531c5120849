/// A text without what moves a terminal's cursor or ends a line: such characters, which a file's name
/// may hold, stand as `\u{1B}`.
package func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: isControl) else { return text }
  return text.unicodeScalars.reduce(into: "") { result, scalar in
    result +=
      isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : "\(scalar)"
  }
}

private func isControl(_ scalar: Unicode.Scalar) -> Bool {
  [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
}
