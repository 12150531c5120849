/// One line of a `.param` file, split into words.
struct Line {
  var words: [String]
  var number: Int
  var file: String

  var excerpt: String { String(words.joined(separator: " ").prefix(60)) }

  func failure(_ reason: ModelError.Reason, _ found: String, _ expected: String) -> ModelError {
    ModelError(
      file: file, position: .line(number), reason: reason, found: found, expected: expected)
  }
}

/// Splits a `.param` file into lines of words.
struct LineReader {
  let bytes: [UInt8]
  let file: String
  private(set) var lineNumber = 0
  private var lastLine: Line?
  private var position = 0

  /// The start of the last line read.
  var excerpt: String { lastLine?.excerpt ?? "" }

  init(bytes: [UInt8], file: String) {
    self.bytes = bytes
    self.file = file
  }

  /// The next non-empty line, or nil at the end of the file.
  mutating func next() throws(ModelError) -> Line? {
    while position < bytes.count {
      let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
      let range = position..<end
      position = end + 1
      lineNumber += 1
      let words = try self.words(range)
      if words.isEmpty { continue }
      lastLine = Line(words: words, number: lineNumber, file: file)
      return lastLine
    }
    return nil
  }

  func failure(_ reason: ModelError.Reason, _ found: String, _ expected: String) -> ModelError {
    ModelError(
      file: file, position: .line(max(lineNumber, 1)), reason: reason, found: found,
      expected: expected)
  }

  /// Splits at blanks, except inside the quotes of a string value, which follow an equals sign.
  private func words(_ range: Range<Int>) throws(ModelError) -> [String] {
    var words: [String] = []
    var start: Int?
    var isQuoted = false
    func close(_ end: Int) throws(ModelError) {
      guard let begin = start else { return }
      guard let word = String(validating: bytes[begin..<end], as: UTF8.self) else {
        throw failure(.syntax, "bytes that are not UTF-8", "a text .param file")
      }
      words.append(word)
      start = nil
    }
    var previous: UInt8 = 0
    for index in range {
      let byte = bytes[index]
      defer { previous = byte }
      switch byte {
      case UInt8(ascii: " "):
        if !isQuoted { try close(index) }
      case UInt8(ascii: "\t") where !isQuoted, UInt8(ascii: "\r") where !isQuoted:
        try close(index)
      case 0..<0x20, 0x7F:
        throw failure(.syntax, "the control character \(byte)", "a text .param file")
      case 0x80..<0xA0 where previous == 0xC2:
        // U+0080…U+009F: some terminals obey them.
        throw failure(.syntax, "the control character \(byte)", "a text .param file")
      case UInt8(ascii: "\""):
        if start == nil { start = index }
        isQuoted = !isQuoted && previous == UInt8(ascii: "=")
      default:
        if start == nil { start = index }
      }
    }
    guard !isQuoted else { throw failure(.syntax, "an unclosed quote", "a closing quote") }
    try close(range.upperBound)
    return words
  }
}

/// Reads `key=value` in every form that ncnn reads or writes, including C's suffix `f`.
///
/// `0=1`, `1=.5`, `2=2.f`, `3=1e-5`, `-23304=2,3,4` (an array with its length), `4=3,4` (one
/// without), `5=word`, `6="several words"`.
func readPair(_ word: String, _ line: Line) throws(ModelError) -> Parameters.Pair {
  func failure(_ found: String, _ expected: String) -> ModelError {
    line.failure(.syntax, found, expected)
  }
  let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2, let number = Int(parts[0]) else {
    throw failure("\"\(word.prefix(40))\"", "key=value")
  }
  let isCounted = number <= ParamFormat.arrayKeyOffset
  let (offset, overflow) = ParamFormat.arrayKeyOffset.subtractingReportingOverflow(number)
  let key = isCounted ? offset : number
  guard !overflow, (0...Parameters.maximumKey).contains(key) else {
    throw failure(
      "key \(number)",
      "a key in 0…\(Parameters.maximumKey), \(ParamFormat.arrayKeyOffset) - key for arrays")
  }
  let text = parts[1]
  guard text.utf8.count > 0 else { throw failure("\"\(word)\"", "a value after the equals sign") }
  if isCounted {
    let elements = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let count = Int(elements[0]), count == elements.count - 1 else {
      throw line.failure(
        .count, "an array of \(elements.count - 1) elements with the length \(elements[0])",
        "a length and that many elements")
    }
    return Parameters.Pair(key: key, value: try readArray(elements.dropFirst(), word, line))
  }
  if let string = try readString(text, line) {
    return Parameters.Pair(key: key, value: .string(string))
  }
  if text.contains(",") {
    let elements = text.split(separator: ",", omittingEmptySubsequences: false)
    return Parameters.Pair(key: key, value: try readArray(elements[...], word, line))
  }
  return Parameters.Pair(key: key, value: try readNumber(text, word, line))
}

private func readString(_ text: Substring, _ line: Line) throws(ModelError) -> String? {
  guard let first = text.utf8.first else { return nil }
  let isLetter = (first | 0x20) >= UInt8(ascii: "a") && (first | 0x20) <= UInt8(ascii: "z")
  let isQuoted = first == UInt8(ascii: "\"")
  guard isLetter || isQuoted else { return nil }
  let string = isQuoted ? text.dropFirst().prefix { $0 != "\"" } : text
  guard string.utf8.count <= Limits.nameBytes else {
    throw line.failure(
      .limit, "a string of \(string.utf8.count) bytes", "at most \(Limits.nameBytes)")
  }
  let isClosed = !isQuoted || string.utf8.count + 2 == text.utf8.count
  guard isClosed, !string.utf8.contains(UInt8(ascii: "\"")) else {
    throw line.failure(.syntax, "\(text.prefix(40))", "one string between two quotes")
  }
  return String(string)
}

private func readArray(
  _ elements: ArraySlice<Substring>, _ word: String, _ line: Line
) throws(ModelError) -> ParameterValue {
  var integers: [Int] = []
  var reals: [Float] = []
  for element in elements {
    switch try readNumber(element, word, line) {
    case .integer(let number):
      integers.append(number)
      reals.append(Float(number))
    case .real(let number):
      reals.append(number)
    default: break
    }
  }
  return integers.count == reals.count ? .integers(integers) : .reals(reals)
}

/// As in ncnn, a decimal point or an exponent makes a number real.
private func readNumber(
  _ text: Substring, _ word: String, _ line: Line
) throws(ModelError) -> ParameterValue {
  func failure(_ expected: String) -> ModelError {
    line.failure(.syntax, "\"\(text.prefix(40))\" in \(word.prefix(40))", expected)
  }
  let isReal = text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
  if !isReal {
    guard let number = Int32(text) else { throw failure("a 32-bit integer") }
    return .integer(Int(number))
  }
  guard let number = decimal(text.hasSuffix("f") ? text.dropLast() : text) else {
    throw failure("a finite decimal number")
  }
  return .real(number)
}

/// A finite number in decimal digits; `Float(_:)` also accepts hexadecimal, "nan" and "infinity".
func decimal(_ text: Substring) -> Float? {
  let isDecimal = text.utf8.allSatisfy { byte in
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
  guard isDecimal, let number = Float(text), number.isFinite else { return nil }
  return number
}
