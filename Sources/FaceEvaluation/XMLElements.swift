/// Reads the elements of a small XML file, where only names, nesting and plain text count:
/// attributes, comments and processing instructions are skipped, character references stay as
/// written, and declarations (`<!DOCTYPE`, `<![CDATA[`) are refused.
struct XMLElements {
  /// An element whose end has been read.
  struct Element {
    /// The names from the root down to this one, separated by slashes.
    var path: String
    /// The text directly inside, trimmed of white space.
    var text: String
    /// The line of its end tag, from 1.
    var line: Int
  }

  private let source: String
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  private var open: [(path: String, name: String, text: [UInt8])] = []
  private var hasRoot = false

  init(_ bytes: [UInt8], source: String) {
    self.bytes = bytes
    self.source = source
  }

  /// The element that ends next, inner ones before the one around them; nil after the root.
  mutating func next() throws(GroundTruthError) -> Element? {
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        try readText()
        continue
      }
      if starts("<?") {
        try skip(past: "?>")
      } else if starts("<!--") {
        try skip(past: "-->")
      } else if starts("<!") {
        throw failure("a declaration", "elements and text only")
      } else if starts("</") {
        return try readEnd()
      } else if let element = try readStart() {
        return element
      }
    }
    guard open.isEmpty, hasRoot else {
      throw failure("the end of the file", open.last.map { "</\($0.name)>" } ?? "an element")
    }
    return nil
  }

  func failure(_ found: String, _ expected: String, line: Int? = nil) -> GroundTruthError {
    GroundTruthError(
      file: source, position: .line(line ?? self.line), found: found, expected: expected)
  }

  private func starts(_ text: StaticString) -> Bool {
    bytes[offset...].starts(with: text.description.utf8)
  }

  private mutating func advance() {
    if bytes[offset] == UInt8(ascii: "\n") { line += 1 }
    offset += 1
  }

  private mutating func skip(past end: StaticString) throws(GroundTruthError) {
    let start = line
    while offset < bytes.count {
      if starts(end) {
        offset += end.utf8CodeUnitCount
        return
      }
      advance()
    }
    throw failure("the end of the file", "\(end)", line: start)
  }

  private mutating func readText() throws(GroundTruthError) {
    let byte = bytes[offset]
    if open.isEmpty {
      // A byte order mark may come first.
      let isMark = offset < 3 && [0xEF, 0xBB, 0xBF].contains(byte)
      guard isXMLSpace(byte) || isMark else { throw failure("text", "an element") }
    } else {
      open[open.count - 1].text.append(byte)
    }
    advance()
  }

  private mutating func readName() throws(GroundTruthError) -> String {
    let start = offset
    while offset < bytes.count, isNameByte(bytes[offset]), offset - start < 256 { offset += 1 }
    guard offset > start else { throw failure("no name", "an element's name after <") }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func readStart() throws(GroundTruthError) -> Element? {
    offset += 1
    let name = try readName()
    guard !open.isEmpty || !hasRoot else {
      throw failure("<\(name)> after the root's end", "one root")
    }
    guard open.count < GroundTruthLimits.depth else {
      throw failure("elements nested deeper", "at most \(GroundTruthLimits.depth) levels")
    }
    hasRoot = true
    let path = open.last.map { "\($0.path)/\(name)" } ?? name
    let isEmpty = try skipAttributes(of: name)
    if isEmpty { return Element(path: path, text: "", line: line) }
    open.append((path, name, []))
    return nil
  }

  /// Skips the rest of a start tag; returns whether it ends with `/>`.
  private mutating func skipAttributes(of name: String) throws(GroundTruthError) -> Bool {
    let start = line
    var quote: UInt8?
    while offset < bytes.count {
      let byte = bytes[offset]
      if quote == nil, byte == UInt8(ascii: ">") {
        let isEmpty = bytes[offset - 1] == UInt8(ascii: "/")
        advance()
        return isEmpty
      }
      if byte == quote {
        quote = nil
      } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
      advance()
    }
    throw failure("the end of the file", "> after <\(name)", line: start)
  }

  private mutating func readEnd() throws(GroundTruthError) -> Element {
    offset += 2
    let name = try readName()
    while offset < bytes.count, isXMLSpace(bytes[offset]) { advance() }
    guard let last = open.last, last.name == name else {
      throw failure("</\(name)>", open.last.map { "</\($0.name)>" } ?? "nothing after the root")
    }
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: ">") else {
      throw failure("no >", "> after </\(name)")
    }
    advance()
    open.removeLast()
    let text = last.text.drop(while: isXMLSpace)
    let end = (text.lastIndex { !isXMLSpace($0) }).map { $0 + 1 } ?? text.startIndex
    return Element(
      path: last.path, text: String(decoding: text[..<end], as: UTF8.self), line: line)
  }
}

private func isXMLSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
    UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
    true
  default: false
  }
}
