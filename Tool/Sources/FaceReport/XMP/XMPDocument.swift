// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceUntrusted
import YOLOFaceXML

/// An existing XMP file, and where its regions are.
struct XMPDocument {
  /// What it describes, as written between quotes; empty for the picture that it is kept with.
  private(set) var about = ""
  let tree: XMLTree
  private let source: String
  private let root: XMLTree.Element
  /// The elements of regions, by their positions in the list.
  private(set) var regions: [Int] = []
  /// The parts that these are in, in order.
  private var removed: [Range<Int>] = []

  /// The levels of a description of regions.
  private static let depth = 6

  var hasRegions: Bool { !removed.isEmpty }

  init(_ bytes: [UInt8], source: String) throws(FileError) {
    func failure(_ found: String, _ expected: String, line: Int = 1) -> FileError {
      FileError(path: "\(source):\(line)", found: found, expected: expected)
    }
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw failure("bytes of another encoding", "XML in UTF-8")
    }
    let tree: XMLTree
    do { tree = try XMLTree(bytes) } catch {
      throw failure(error.found, error.expected, line: error.line)
    }
    let elements = tree.elements
    let roots = elements.indices.filter { elements[$0].name.isCalled("RDF", in: Namespace.rdf) }
    guard let rootIndex = roots.first, roots.count == 1 else {
      throw failure("\(roots.count) rdf:RDF elements", "one")
    }
    let ancestors = sequence(first: rootIndex) { elements[$0].parent }.reduce(0) { n, _ in n + 1 }
    guard ancestors + Self.depth <= XMLTree.depth else {
      throw failure(
        "rdf:RDF \(ancestors) levels deep", "at most \(XMLTree.depth - Self.depth)")
    }
    (self.tree, self.source, root) = (tree, source, elements[rootIndex])
    func isRegions(_ name: XMLTree.Name) -> Bool {
      name.isCalled("Regions", in: Namespace.regions)
        || name.isCalled("RegionInfo", in: Namespace.microsoft)
    }
    var abouts: [(isGone: Bool, value: Range<Int>)] = []
    for description in tree.children(of: rootIndex) {
      let old = tree.children(of: description).filter { isRegions(elements[$0].name) }
      regions += old
      let isGone = !old.isEmpty && describesNothing(elements[description], but: old)
      let about = elements[description].attributes.first {
        $0.name.isCalled("about", in: Namespace.rdf)
      }
      if let about { abouts.append((isGone, about.value)) }
      removed += (isGone ? [description] : old).map { withLeadingSpace(elements[$0].range) }
    }
    // By bytes: a quote and a combining accent after it are a single `Character`.
    let quote = UInt8(ascii: "\"")
    let name = (abouts.first { !$0.isGone } ?? abouts.first).map { bytes[$0.value] } ?? []
    about = String(
      decoding: name.flatMap { $0 == quote ? Array("&quot;".utf8) : [$0] }, as: UTF8.self)
  }

  private var bytes: [UInt8] { tree.bytes }
  var elements: [XMLTree.Element] { tree.elements }

  /// Whether there is nothing in a description but some of its children, and space.
  private func describesNothing(_ description: XMLTree.Element, but children: [Int]) -> Bool {
    let isPlain = description.attributes.allSatisfy { $0.name.space == Namespace.rdf }
    guard isPlain else { return false }
    var offset = description.start.upperBound
    for part in children.map({ elements[$0].range }) + [description.end] {
      guard bytes[offset..<part.lowerBound].allSatisfy(isXMLSpace) else { return false }
      offset = part.upperBound
    }
    return true
  }

  /// Checks that the regions only say where faces are: somebody has typed a name. One without a type, or with an
  /// area that is not a rectangle, a circle or a point, is no face of ours.
  func requirePlainRegions(named name: String?) throws(FileError) {
    let known = name.map { UntrustedText(xmlText($0, inQuotes: true)) }
    for region in regions {
      let branch = branch(from: region)
      for (index, element) in zip(branch.indices, branch) {
        let hasChildren = !tree.children(of: index).isEmpty
        var found = foreign(
          element.name, tree.text(of: index)[...], hasChildren: hasChildren, known)
        for attribute in element.attributes where found == nil {
          found = foreign(attribute.name, bytes[attribute.value], known)
        }
        if let found { throw failure(found, at: element) }
      }
      for item in items(of: region) {
        let names = Set(
          self.branch(from: item).flatMap { [$0.name.name] + $0.attributes.map(\.name.name) })
        if let missing = ["Type", "x", "y", "w", "h"].first(where: {
          !names.contains(UntrustedText($0))
        }) {
          throw failure("a region without \(missing)", at: elements[item])
        }
      }
    }
  }

  /// The regions in one of the Metadata Working Group's lists.
  func items(of region: Int) -> [Int] {
    guard elements[region].name.space == Namespace.regions else { return [] }
    func children(
      _ parents: [Int], _ space: StaticString, _ name: StaticString? = nil
    ) -> [Int] {
      parents.flatMap(tree.children).filter { child in
        elements[child].name.space == space && name.map { elements[child].name.name == $0 } ?? true
      }
    }
    let wrapped = [region] + children([region], Namespace.rdf, "Description")
    let lists = children(wrapped, Namespace.regions, "RegionList")
    // In a Bag, a Seq or an Alt, items are called li, _1, _2 and so on.
    return children(children(lists, Namespace.rdf), Namespace.rdf)
  }

  func branch(from index: Int) -> ArraySlice<XMLTree.Element> {
    let end = elements[index].range.upperBound
    return elements[index...].prefix { $0.start.lowerBound < end }
  }

  private func failure(_ found: String, at element: XMLTree.Element) -> FileError {
    FileError(
      path: "\(source):\(tree.line(of: element))", found: found,
      expected:
        "regions of faces alone, which may be replaced; move the file away to write a new one")
  }

  /// What an element or attribute of a region says other than where a face is; nil if nothing.
  private func foreign(
    _ name: XMLTree.Name, _ text: ArraySlice<UInt8>, hasChildren: Bool = false,
    _ knownName: UntrustedText?
  ) -> String? {
    let stated = UntrustedText(text)
    let text = Array(text.split(whereSeparator: isXMLSpace).joined(separator: [0x20]))
    guard !text.isEmpty || hasChildren else { return nil }
    func says(_ words: String...) -> Bool { words.contains { text.elementsEqual($0.utf8) } }
    switch (name.space, name.name) {
    case (Namespace.regions, "Type"):
      return says("Face") ? nil : "a region that is not a face"
    case (Namespace.regions, "Name"), (Namespace.microsoftRegion, "PersonDisplayName"):
      return stated == knownName ? nil : "a region that somebody has named"
    case (Namespace.dimensions, "unit"), (Namespace.area, "unit"), (Namespace.rdf, "parseType"):
      return says("pixel", "normalized", "Resource") ? nil : "\(name.name) of a region"
    case (Namespace.area, "d"): return "a region that is a circle"
    case (Namespace.dimensions, _), (Namespace.area, _), (Namespace.microsoftRegion, "Box"):
      return text.allSatisfy("0123456789+-.,eE ".utf8.contains) ? nil : "\(name.name) of a region"
    case (Namespace.regions, "Regions"), (Namespace.regions, "RegionList"),
      (Namespace.regions, "AppliedToDimensions"), (Namespace.regions, "Area"),
      (Namespace.microsoft, "RegionInfo"), (Namespace.microsoftRegions, _), (Namespace.rdf, _):
      return text.isEmpty ? nil : "text in \(name.name) of a region"
    default: return "\(name.name) of a region"
    }
  }

  /// A part with the space before it on its line, and the end of the line before.
  private func withLeadingSpace(_ part: Range<Int>) -> Range<Int> {
    let start = startOfIndentation(before: part.lowerBound)
    let hasLine = start > 0 && bytes[start - 1] == UInt8(ascii: "\n")
    return (hasLine ? start - 1 : start)..<part.upperBound
  }

  private func startOfIndentation(before offset: Int) -> Int {
    var start = offset
    while start > 0, [UInt8(ascii: " "), UInt8(ascii: "\t")].contains(bytes[start - 1]) {
      start -= 1
    }
    return start
  }

  /// The file with other regions, as the last description.
  func replacingRegions(with text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    for part in removed {
      result += bytes[offset..<part.lowerBound]
      offset = part.upperBound
    }
    let newline = UInt8(ascii: "\n")
    guard !root.isEmpty else {
      // <rdf:RDF …/> is opened.
      result += bytes[offset..<root.start.upperBound - 2]
      return result + Array(">\n".utf8) + text + Array("</\(root.written)>".utf8)
        + bytes[root.start.upperBound...]
    }
    let end = max(offset, startOfIndentation(before: root.end.lowerBound))
    result += bytes[offset..<end]
    if result.last != newline { result.append(newline) }
    return result + text + bytes[end...]
  }
}
