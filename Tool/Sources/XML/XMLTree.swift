// SPDX-License-Identifier: Apache-2.0
import YOLOFaceUntrusted

/// What is wrong with an XML file.
package struct XMLError: Error {
  /// From 1.
  package let line: Int
  package let found, expected: String
}

/// The elements of an XML file, with their namespaces (https://www.w3.org/TR/xml-names/) and their places in the file.
/// Text is skipped, character references stay as written, and document types, which could define entities, are refused.
///
/// A file is refused where it is not well-formed, since commands use or edit all that it holds. The engine's reader of
/// XMP looks for one number in metadata that may be damaged: it skips what it does not understand, and keeps no tree.
package struct XMLTree {
  package struct Element {
    package var name: Name
    /// The name as written.
    package var written: UntrustedText
    /// As written: names in their namespaces and the bytes between the quotes.
    package var attributes: [(name: Name, value: Range<Int>)]
    /// The start tag, or the whole element where it is empty.
    package var start: Range<Int>
    /// The end tag; empty, at the end of the start tag, where the element has none.
    package var end: Range<Int>
    /// The element around it, by its position in the list; nil for the root.
    package var parent: Int?
    package var range: Range<Int> { start.lowerBound..<end.upperBound }
    /// Between its tags.
    package var content: Range<Int> { start.upperBound..<end.lowerBound }
    /// Whether it is written as `<name/>`.
    package var isEmpty: Bool { end.isEmpty }
  }

  /// A name in a namespace.
  package struct Name: Hashable {
    /// The namespace's URI, empty without one.
    package var space: UntrustedText
    /// The name without its prefix.
    package var name: UntrustedText

    package func isCalled(_ name: StaticString, in space: StaticString) -> Bool {
      self.name == name && self.space == space
    }
  }

  /// The deepest nesting, the most attributes of an element, and the most of both in a file.
  package static let (depth, attributes, total) = (64, 1024, 1 << 18)
  /// The most bytes of a name, and of a namespace's URI: both are compared for each element.
  package static let nameBytes = 256

  package let bytes: [UInt8]
  /// In the order of their start tags, so the root is first.
  package let elements: [Element]
  /// The positions of each element's children, in order.
  private let children: [Int: [Int]]

  package init(_ bytes: [UInt8]) throws(XMLError) {
    self.bytes = bytes
    var reader = XMLReader(bytes: bytes)
    elements = try reader.read()
    children = Dictionary(grouping: elements.indices.dropFirst()) { [elements] in
      elements[$0].parent ?? 0
    }
  }

  /// The children of an element, all by their positions in the list.
  package func children(of element: Int) -> [Int] { children[element] ?? [] }

  /// What is written between an element's tags but not in its children, comments included.
  package func text(of element: Int) -> [UInt8] {
    let content = elements[element].content
    var (text, offset): ([UInt8], Int) = ([], content.lowerBound)
    for child in children(of: element) {
      text += bytes[offset..<elements[child].range.lowerBound]
      offset = elements[child].range.upperBound
    }
    return text + bytes[offset..<max(offset, content.upperBound)]
  }

  /// The line on which an element starts, from 1.
  package func line(of element: Element) -> Int {
    lineNumber(of: element.start.lowerBound, in: bytes)
  }
}

package func isXMLSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

private func lineNumber(of offset: Int, in bytes: [UInt8]) -> Int {
  1 + bytes[..<min(offset, bytes.count)].count { $0 == UInt8(ascii: "\n") }
}

/// Reads the elements of a file, tag by tag.
private struct XMLReader {
  let bytes: [UInt8]
  private var offset = 0
  private var elements: [XMLTree.Element] = []
  /// The number of elements and attributes so far.
  private var count = 0
  /// The open elements, by their positions in the list, and the prefixes that each declares.
  private var open: [(element: Int, prefixes: [UntrustedText])] = []
  /// The namespaces that open elements give to a prefix, the innermost last: one look-up for each name,
  /// however deep it is.
  private var spaces: [UntrustedText: [UntrustedText]] = [
    UntrustedText("xml"): [UntrustedText("xml")]
  ]

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func read() throws(XMLError) -> [XMLTree.Element] {
    if let zero = bytes.firstIndex(of: 0) {
      offset = zero
      throw failure("a zero byte", "XML in UTF-8")
    }
    while offset < bytes.count { try step() }
    guard open.isEmpty, !elements.isEmpty else {
      let name = open.last.map { "</\(elements[$0.element].written)>" }
      throw failure("the end of the file", name ?? "an element")
    }
    return elements
  }

  private func failure(_ found: String, _ expected: String) -> XMLError {
    XMLError(line: lineNumber(of: offset, in: bytes), found: found, expected: expected)
  }

  private func starts(_ text: StaticString) -> Bool {
    bytes[offset...].starts(with: text.description.utf8)
  }

  private mutating func step() throws(XMLError) {
    if bytes[offset] != UInt8(ascii: "<") {
      try skipText()
    } else if starts("<?") {
      try skip("<?", past: "?>")
    } else if starts("<!--") {
      try skip("<!--", past: "-->")
    } else if starts("<![CDATA["), !open.isEmpty {
      try skip("<![CDATA[", past: "]]>")
    } else if starts("<!") {
      throw failure("a document type", "elements and text only")
    } else if starts("</") {
      try readEnd()
    } else {
      try readStart()
    }
  }

  private mutating func skipText() throws(XMLError) {
    while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") {
      let isMark = offset < 3 && [0xEF, 0xBB, 0xBF].contains(bytes[offset])
      guard !open.isEmpty || isMark || isXMLSpace(bytes[offset]) else {
        throw failure("text", elements.isEmpty ? "an element" : "nothing after the root")
      }
      offset += 1
    }
  }

  /// Skips what begins with an opening, of which nothing belongs to its end.
  private mutating func skip(_ opening: StaticString, past end: StaticString) throws(XMLError) {
    let start = offset
    offset += opening.utf8CodeUnitCount
    while offset < bytes.count, !starts(end) { offset += 1 }
    guard offset < bytes.count else {
      offset = start
      throw failure("the end of the file", "\(end)")
    }
    offset += end.utf8CodeUnitCount
  }

  private mutating func skipSpace() {
    while offset < bytes.count, isXMLSpace(bytes[offset]) { offset += 1 }
  }

  private mutating func readName() throws(XMLError) -> UntrustedText {
    let start = offset
    while offset < bytes.count, isNameByte(bytes[offset]) { offset += 1 }
    guard offset > start else { throw failure("no name", "a name") }
    try requireShort(start..<offset, "a name")
    return UntrustedText(bytes[start..<offset])
  }

  private func requireShort(_ part: Range<Int>, _ what: String) throws(XMLError) {
    guard part.count <= XMLTree.nameBytes else {
      throw failure("\(what) of \(part.count) bytes", "at most \(XMLTree.nameBytes)")
    }
  }

  private mutating func readStart() throws(XMLError) {
    let start = offset
    offset += 1
    let written = try readName()
    guard !open.isEmpty || elements.isEmpty else {
      throw failure("<\(written)> after the root's end", "one root")
    }
    guard open.count < XMLTree.depth else {
      throw failure("elements nested deeper", "at most \(XMLTree.depth) levels")
    }
    var attributes: [(written: UntrustedText, value: Range<Int>)] = []
    skipSpace()
    while offset < bytes.count, isNameByte(bytes[offset]) {
      guard attributes.count < XMLTree.attributes else {
        throw failure("more attributes", "at most \(XMLTree.attributes)")
      }
      attributes.append(try readAttribute())
      skipSpace()
    }
    count += 1 + attributes.count
    guard count <= XMLTree.total else {
      throw failure("more elements and attributes", "at most \(XMLTree.total)")
    }
    let isEmpty = starts("/>")
    guard isEmpty || starts(">") else { throw failure("no >", "> after <\(written)") }
    offset += isEmpty ? 2 : 1
    let parent = open.last?.element
    open.append((elements.count, []))
    for (name, value) in attributes {
      if let prefix = declaredPrefix(name) { try declare(prefix, value) }
    }
    elements.append(
      XMLTree.Element(
        name: try resolved(written, isAttribute: false), written: written, attributes: [],
        start: start..<offset, end: offset..<offset, parent: parent))
    for (name, value) in attributes where declaredPrefix(name) == nil {
      let resolved = try resolved(name, isAttribute: true)
      elements[elements.count - 1].attributes.append((resolved, value))
    }
    if isEmpty { close() }
  }

  /// The prefix that an attribute declares, empty for names without one; nil for other attributes.
  private func declaredPrefix(_ attribute: UntrustedText) -> UntrustedText? {
    attribute == "xmlns" ? noPrefix : attribute.dropping("xmlns:")
  }

  private mutating func declare(_ prefix: UntrustedText, _ value: Range<Int>) throws(XMLError) {
    try requireShort(value, "a namespace")
    spaces[prefix, default: []].append(UntrustedText(bytes[value]))
    open[open.count - 1].prefixes.append(prefix)
  }

  /// Ends the innermost open element.
  private mutating func close() {
    for prefix in open.removeLast().prefixes { spaces[prefix]?.removeLast() }
  }

  private mutating func readAttribute() throws(XMLError)
    -> (written: UntrustedText, value: Range<Int>)
  {
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

  private mutating func readEnd() throws(XMLError) {
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
    close()
  }

  /// A written name in its namespace; attributes without a prefix have none.
  private func resolved(
    _ written: UntrustedText, isAttribute: Bool
  ) throws(XMLError) -> XMLTree.Name {
    guard let (prefix, name) = written.cut(at: UInt8(ascii: ":")) else {
      let space = isAttribute ? nil : spaces[noPrefix]?.last
      return XMLTree.Name(space: space ?? noPrefix, name: written)
    }
    guard let space = spaces[prefix]?.last else {
      throw failure("the prefix \(prefix)", "one that xmlns:\(prefix) declares")
    }
    return XMLTree.Name(space: space, name: name)
  }
}

/// The prefix of names without one, and their namespace where none is declared.
private let noPrefix = UntrustedText("")

private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
    UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...:
    true
  default: false
  }
}
