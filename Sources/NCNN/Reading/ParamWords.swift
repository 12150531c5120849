// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// One line of a `.param` file, split into words.
struct Line {
  var words: [UntrustedText]
  var number: Int
  var file: String

  /// The start of the line, with a blank between words.
  var excerpt: String {
    var start: [UInt8] = []
    for word in words where start.count <= 60 {
      start += (start.isEmpty ? [] : [UInt8(ascii: " ")]) + word.prefix(61)
    }
    return UntrustedText(start).excerpt(60)
  }

  func failure(_ reason: ModelError.Reason, _ found: String, _ expected: String) -> ModelError {
    ModelError(
      file: file, position: .line(max(number, 1)), reason: reason, found: found, expected: expected)
  }

  /// Refuses what is too long for a name or a string, or takes long to compare as one.
  func requireName(_ text: UntrustedText, _ what: String) throws(ModelError) {
    guard text.count <= Limits.nameBytes else {
      throw failure(.limit, "\(what) of \(text.count) bytes", "at most \(Limits.nameBytes)")
    }
    guard text.isStreamSafe else {
      throw failure(
        .limit, "\(what) with more combining marks behind each other",
        "at most \(UntrustedText.mostMarks)")
    }
  }
}

/// Splits a `.param` file into lines of words.
struct LineReader {
  let bytes: [UInt8]
  /// The number of the last line, and the words of the last one that has any.
  private(set) var line: Line
  private var position = 0

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    line = Line(words: [], number: 0, file: file)
  }

  /// Whether anything but blanks follows.
  var hasMore: Bool {
    position < bytes.count && bytes[position...].contains { $0 > UInt8(ascii: " ") }
  }

  /// The next non-empty line, or nil at the end of the file.
  mutating func next() throws(ModelError) -> Line? {
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let range = position..<end
      position = end + 1
      line.number += 1
      let words = try self.words(range)
      if words.isEmpty { continue }
      line.words = words
      return line
    }
    return nil
  }

  /// Splits at blanks, except inside the quotes of a string value, which follow an equals sign.
  private func words(_ range: Range<Int>) throws(ModelError) -> [UntrustedText] {
    var words: [UntrustedText] = []
    var start: Int?
    var isQuoted = false
    func close(_ end: Int) {
      guard let begin = start else { return }
      words.append(UntrustedText(bytes[begin..<end]))
      start = nil
    }
    var previous: UInt8 = 0
    for index in range {
      let byte = bytes[index]
      defer { previous = byte }
      switch byte {
      case UInt8(ascii: " "):
        if !isQuoted { close(index) }
      case UInt8(ascii: "\t") where !isQuoted, UInt8(ascii: "\r") where !isQuoted:
        close(index)
      // U+0080…U+009F among them, which some terminals obey.
      case 0..<0x20, 0x7F,
        0x80..<0xA0 where previous == 0xC2:
        throw line.failure(.syntax, "the control character \(byte)", "a text .param file")
      case UInt8(ascii: "\""):
        if start == nil { start = index }
        isQuoted = !isQuoted && previous == UInt8(ascii: "=")
      default:
        if start == nil { start = index }
      }
    }
    guard !isQuoted else { throw line.failure(.syntax, "an unclosed quote", "a closing quote") }
    close(range.upperBound)
    guard String(validating: bytes[range], as: UTF8.self) != nil else {
      throw line.failure(.syntax, "bytes that are not UTF-8", "a text .param file")
    }
    return words
  }
}

/// Reads `key=value` in every form that ncnn reads or writes, including C's suffix `f`.
///
/// `0=1`, `1=.5`, `2=2.f`, `3=1e-5`, `-23304=2,3,4` (an array with its length), `4=3,4` (one
/// without), `5=word`, `6="several words"`.
func readPair(_ word: UntrustedText, _ line: Line) throws(ModelError) -> Parameters.Pair {
  func failure(_ found: String, _ expected: String) -> ModelError {
    line.failure(.syntax, found, expected)
  }
  guard let (name, text) = word.cut(at: UInt8(ascii: "=")), let number = name.integer(Int.self)
  else {
    throw failure("\"\(word.excerpt(40))\"", "key=value")
  }
  let isCounted = number <= ParamFormat.arrayKeyOffset
  let (offset, overflow) = ParamFormat.arrayKeyOffset.subtractingReportingOverflow(number)
  let key = isCounted ? offset : number
  guard !overflow, (0...Parameters.maximumKey).contains(key) else {
    throw failure(
      "key \(number)",
      "a key in 0…\(Parameters.maximumKey), \(ParamFormat.arrayKeyOffset) - key for arrays")
  }
  guard !text.isEmpty else {
    throw failure("\"\(word.excerpt(40))\"", "a value after the equals sign")
  }
  let value: ParameterValue
  if isCounted {
    let elements = elements(text)
    guard elements[0].integer() == elements.count - 1 else {
      throw line.failure(
        .count,
        "an array of \(elements.count - 1) elements with the length \(elements[0].excerpt(40))",
        "a length and that many elements")
    }
    value = try readArray(elements.dropFirst(), word, line)
  } else if let string = try readString(text, line) {
    value = .string(string)
  } else if text.contains(UInt8(ascii: ",")) {
    value = try readArray(elements(text)[...], word, line)
  } else {
    value = try readNumber(text, word, line)
  }
  return Parameters.Pair(key: key, value: value)
}

private func elements(_ text: UntrustedText) -> [UntrustedText] {
  text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
}

private func readString(_ text: UntrustedText, _ line: Line) throws(ModelError) -> String? {
  guard let first = text.first else { return nil }
  let isLetter = (first | 0x20) >= UInt8(ascii: "a") && (first | 0x20) <= UInt8(ascii: "z")
  let quote = UInt8(ascii: "\"")
  guard isLetter && !isInfinite(text) || first == quote else { return nil }
  let string = first == quote ? text.dropFirst().prefix { $0 != quote } : text
  try line.requireName(string, "a string")
  let isClosed = first != quote || string.count + 2 == text.count
  guard isClosed, !string.contains(quote) else {
    throw line.failure(.syntax, text.excerpt(40), "one string between two quotes")
  }
  return string.description
}

private func readArray(
  _ elements: ArraySlice<UntrustedText>, _ word: UntrustedText, _ line: Line
) throws(ModelError) -> ParameterValue {
  var integers: [Int] = []
  var reals: [Float] = []
  for element in elements {
    switch try readNumber(element, word, line) {
    case .integer(let number):
      integers.append(number)
      reals.append(Float(number))
    case .real(let number): reals.append(number)
    default: break
    }
  }
  return integers.count == reals.count ? .integers(integers) : .reals(reals)
}

/// Whether a text is what C prints for an infinite number, or for none, as a converter does for a bound that is open.
private func isInfinite(_ text: UntrustedText) -> Bool {
  switch text.drop(while: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }) {
  case "inf", "nan": true
  default: false
  }
}

/// As in ncnn, a decimal point or an exponent makes a number real.
private func readNumber(
  _ text: UntrustedText, _ word: UntrustedText, _ line: Line
) throws(ModelError) -> ParameterValue {
  func failure(_ expected: String) -> ModelError {
    line.failure(.syntax, "\"\(text.excerpt(40))\" in \(word.excerpt(40))", expected)
  }
  if isInfinite(text) {
    throw failure("a finite number: -3.402823e+38 and 3.402823e+38 stand for no bound")
  }
  let isReal = text.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
  if !isReal {
    guard let number = text.integer(Int32.self) else { throw failure("a 32-bit integer") }
    return .integer(Int(number))
  }
  let digits = text.last == UInt8(ascii: "f") ? text.dropLast() : text
  guard let number = digits.decimal(upTo: Float.greatestFiniteMagnitude) else {
    throw failure("a finite decimal number")
  }
  return .real(number)
}
