/// What is wrong with an XMP file.
public struct XMPError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file's name.
  public let source: String
  /// The line, from 1.
  public let line: Int
  /// What is there.
  public let found: String
  /// What was expected.
  public let expected: String

  /// The file, the line, what was found and what was expected.
  public var description: String { "\(source):\(line): found \(found), expected \(expected)" }
}

/// An element of an XML file: its name in its namespace, and where it is.
struct XMLElement {
  /// The namespace's URI, empty without one, and the name without its prefix.
  var name: XMLName
  /// The name as written.
  var written: String
  /// As written: names in their namespaces and the bytes between the quotes.
  var attributes: [(name: XMLName, value: Range<Int>)]
  /// The start tag, or the whole element where it is empty.
  var start: Range<Int>
  /// The end tag; empty, at the end of the start tag, where the element has none.
  var end: Range<Int>
  /// The element around it, by its position in the list; nil for the root.
  var parent: Int?
  /// From its first byte to its last.
  var range: Range<Int> { start.lowerBound..<end.upperBound }
  /// Between its tags.
  var content: Range<Int> { start.upperBound..<end.lowerBound }
  /// Whether it is written as `<name/>`.
  var isEmpty: Bool { end.isEmpty }
}

/// A name in a namespace.
struct XMLName: Hashable {
  var space: String
  var name: String
}

/// Reads the elements of an XML file in UTF-8, with their namespaces and their places in the file, in the
/// order of their start tags. Text is skipped, character references stay as written, and document types,
/// which could define entities, are refused.
///
/// (https://www.w3.org/TR/xml-names/)
struct XMLTags {
  /// The deepest nesting, the most attributes of an element, and the most of both in a file.
  static let (depth, attributes, total) = (64, 1024, 1 << 18)

  private let source: String
  private let bytes: [UInt8]
  private var offset = 0
  private var elements: [XMLElement] = []
  /// The number of elements and attributes so far.
  private var count = 0
  /// The open elements, by their positions in the list, and the prefixes that each declares.
  private var open: [(element: Int, prefixes: [String: String])] = []

  /// The elements of a file.
  ///
  /// - Throws: `XMPError` where it is not well-formed, nested deeper than 64, not UTF-8, or has more than
  ///   262,144 elements and attributes.
  static func elements(of bytes: [UInt8], source: String) throws(XMPError) -> [XMLElement] {
    var tags = XMLTags(source: source, bytes: bytes)
    guard !bytes.contains(0) else {
      tags.offset = bytes.firstIndex(of: 0) ?? 0
      throw tags.failure("a zero byte", "XML in UTF-8")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw tags.failure("bytes of another encoding", "XML in UTF-8")
    }
    while tags.offset < bytes.count { try tags.step() }
    guard tags.open.isEmpty, !tags.elements.isEmpty else {
      let name = tags.open.last.map { "</\(tags.elements[$0.element].written)>" }
      throw tags.failure("the end of the file", name ?? "an element")
    }
    return tags.elements
  }

  private init(source: String, bytes: [UInt8]) {
    self.source = source
    self.bytes = bytes
  }

  private func failure(_ found: String, _ expected: String) -> XMPError {
    let line = 1 + bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") }
    return XMPError(source: source, line: line, found: found, expected: expected)
  }

  private func starts(_ text: StaticString) -> Bool {
    bytes[offset...].starts(with: text.description.utf8)
  }

  private mutating func step() throws(XMPError) {
    if bytes[offset] != UInt8(ascii: "<") {
      try skipText()
    } else if starts("<?") {
      try skip(past: "?>")
    } else if starts("<!--") {
      try skip(past: "-->")
    } else if starts("<![CDATA["), !open.isEmpty {
      try skip(past: "]]>")
    } else if starts("<!") {
      throw failure("a document type", "elements and text only")
    } else if starts("</") {
      try readEnd()
    } else {
      try readStart()
    }
  }

  private mutating func skipText() throws(XMPError) {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") {
      let isMark = offset < 3 && [0xEF, 0xBB, 0xBF].contains(bytes[offset])
      guard !open.isEmpty || isMark || isXMLSpace(bytes[offset]) else {
        throw failure("text", elements.isEmpty ? "an element" : "nothing after the root")
      }
      offset += 1
    }
  }

  private mutating func skip(past end: StaticString) throws(XMPError) {
    let start = offset
    while offset < bytes.count {
      if starts(end) {
        offset += end.utf8CodeUnitCount
        return
      }
      offset += 1
    }
    offset = start
    throw failure("the end of the file", "\(end)")
  }

  private mutating func skipSpace() {
    while offset < bytes.count, isXMLSpace(bytes[offset]) { offset += 1 }
  }

  private mutating func readName() throws(XMPError) -> String {
    let start = offset
    while offset < bytes.count, isNameByte(bytes[offset]), offset - start < 256 { offset += 1 }
    guard offset > start else { throw failure("no name", "a name") }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func readStart() throws(XMPError) {
    let start = offset
    offset += 1
    let written = try readName()
    guard !open.isEmpty || elements.isEmpty else {
      throw failure("<\(written)> after the root's end", "one root")
    }
    guard open.count < Self.depth else {
      throw failure("elements nested deeper", "at most \(Self.depth) levels")
    }
    var attributes: [(written: String, value: Range<Int>)] = []
    skipSpace()
    while offset < bytes.count, isNameByte(bytes[offset]) {
      guard attributes.count < Self.attributes else {
        throw failure("more attributes", "at most \(Self.attributes)")
      }
      attributes.append(try readAttribute())
      skipSpace()
    }
    count += 1 + attributes.count
    guard count <= Self.total else {
      throw failure("more elements and attributes", "at most \(Self.total)")
    }
    let isEmpty = starts("/>")
    guard isEmpty || starts(">") else { throw failure("no >", "> after <\(written)") }
    offset += isEmpty ? 2 : 1
    var prefixes: [String: String] = [:]
    for (name, value) in attributes {
      let uri = String(decoding: bytes[value], as: UTF8.self)
      if name == "xmlns" { prefixes[""] = uri }
      if name.hasPrefix("xmlns:") { prefixes[String(name.dropFirst(6))] = uri }
    }
    let parent = open.last?.element
    open.append((elements.count, prefixes))
    elements.append(
      XMLElement(
        name: try resolved(written, isAttribute: false), written: written, attributes: [],
        start: start..<offset, end: offset..<offset, parent: parent))
    for (name, value) in attributes where name != "xmlns" && !name.hasPrefix("xmlns:") {
      let resolved = try resolved(name, isAttribute: true)
      elements[elements.count - 1].attributes.append((resolved, value))
    }
    if isEmpty { open.removeLast() }
  }

  private mutating func readAttribute() throws(XMPError) -> (written: String, value: Range<Int>) {
    let name = try readName()
    skipSpace()
    guard starts("=") else { throw failure("no =", "= after \(name)") }
    offset += 1
    skipSpace()
    guard offset < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[offset])
    else { throw failure("no quote", "a quoted value of \(name)") }
    let quote = bytes[offset]
    offset += 1
    let start = offset
    while offset < bytes.count, bytes[offset] != quote {
      guard bytes[offset] != UInt8(ascii: "<") else { throw failure("<", "the end of \(name)") }
      offset += 1
    }
    guard offset < bytes.count else { throw failure("the end of the file", "the end of \(name)") }
    offset += 1
    return (name, start..<offset - 1)
  }

  private mutating func readEnd() throws(XMPError) {
    let start = offset
    offset += 2
    let name = try readName()
    skipSpace()
    guard let last = open.last, elements[last.element].written == name else {
      let expected = open.last.map { "</\(elements[$0.element].written)>" }
      throw failure("</\(name)>", expected ?? "nothing after the root")
    }
    guard starts(">") else { throw failure("no >", "> after </\(name)") }
    offset += 1
    elements[last.element].end = start..<offset
    open.removeLast()
  }

  /// A written name in its namespace; attributes without a prefix have none.
  private func resolved(_ written: String, isAttribute: Bool) throws(XMPError) -> XMLName {
    let parts = written.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      return XMLName(space: isAttribute ? "" : space(of: "") ?? "", name: written)
    }
    let prefix = String(parts[0])
    guard let space = space(of: prefix) ?? (prefix == "xml" ? "xml" : nil) else {
      throw failure("the prefix \(prefix)", "one that xmlns:\(prefix) declares")
    }
    return XMLName(space: space, name: String(parts[1]))
  }

  private func space(of prefix: String) -> String? {
    for level in open.reversed() {
      if let space = level.prefixes[prefix] { return space }
    }
    return nil
  }
}

func isXMLSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
    UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
    true
  default: false
  }
}
