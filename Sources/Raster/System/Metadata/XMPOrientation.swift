// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceUntrusted

/// The value of `tiff:Orientation` in an XMP packet (XMP specification, part 1, 7): an attribute of a description
/// or an element in one, whatever prefix stands for TIFF's namespace. Nil where it is absent or malformed.
///
/// The packet is read only as far as that takes: what is in comments, CDATA sections or within other properties
/// says nothing, and a name of more than 256 bytes ends it. The time is proportional to the packet's length.
func xmpOrientation(_ packet: ArraySlice<UInt8>) -> Orientation? {
  var reader = XMPReader(rest: packet)
  return reader.orientation()
}

private struct XMPReader {
  typealias Bytes = ArraySlice<UInt8>

  /// What has not been read yet; empty once something is malformed.
  var rest: Bytes
  /// How many elements are open, and how many were when rdf:RDF was opened.
  private var (depth, rootDepth): (Int, Int?) = (0, nil)
  /// The prefixes that stand for TIFF's namespace, and at which depth each began or ceased to.
  private var tiffPrefixes: Set<UntrustedText> = []
  private var changes: [(depth: Int, prefix: UntrustedText)] = []

  /// The most bytes of an attribute's name: it is hashed.
  private static let longestName = 256

  init(rest: Bytes) { self.rest = rest }

  mutating func orientation() -> Orientation? {
    while skip(past: "<") {
      switch rest.first {
      case UInt8(ascii: "?"): skip(past: "?>")
      case UInt8(ascii: "!"):
        if rest.starts(with: "!--".utf8) {
          rest = rest.dropFirst(3)
          skip(past: "-->")
        } else {
          skip(past: rest.starts(with: "![CDATA[".utf8) ? "]]>" : ">")
        }
      case UInt8(ascii: "/"):
        skip(past: ">")
        close()
      default: if let found = element() { return found }
      }
    }
    return nil
  }

  /// Reads a tag that opens an element, and what it or the text behind it says of the orientation.
  private mutating func element() -> Orientation? {
    depth += 1
    let name = name()
    var (isEmpty, stated): (Bool, [(prefix: Bytes, value: Bytes)]) = (false, [])
    while let next = rest.first, next != UInt8(ascii: ">") {
      isEmpty = next == UInt8(ascii: "/")
      if isEmpty || isSpace(next) {
        rest = rest.dropFirst()
        continue
      }
      guard let attribute = attribute() else {
        rest = []
        return nil
      }
      if attribute.prefix.elementsEqual("xmlns".utf8) {
        bind(attribute.local, to: attribute.value)
      } else if attribute.prefix.isEmpty, attribute.local.elementsEqual("xmlns".utf8) {
        bind([], to: attribute.value)
      } else if attribute.local.elementsEqual("Orientation".utf8), !attribute.prefix.isEmpty {
        stated.append((attribute.prefix, attribute.value))
      }
    }
    rest = rest.dropFirst()
    defer { if isEmpty { close() } }
    if rootDepth == nil, name.local.elementsEqual("RDF".utf8) { rootDepth = depth }
    switch rootDepth.map({ depth - $0 }) {
    case 1: return stated.filter { isTIFF($0.prefix) }.compactMap { number($0.value) }.first
    case 2 where name.local.elementsEqual("Orientation".utf8) && isTIFF(name.prefix) && !isEmpty:
      return number(rest.prefix { $0 != UInt8(ascii: "<") })
    default: return nil
    }
  }

  private mutating func close() {
    while changes.last?.depth == depth { toggle(changes.removeLast().prefix) }
    if rootDepth == depth { rootDepth = nil }
    depth -= 1
  }

  private mutating func bind(_ prefix: Bytes, to namespace: Bytes) {
    guard isTIFF(prefix) != namespace.elementsEqual("http://ns.adobe.com/tiff/1.0/".utf8) else {
      return
    }
    changes.append((depth, UntrustedText(prefix)))
    toggle(UntrustedText(prefix))
  }

  private mutating func toggle(_ prefix: UntrustedText) {
    if tiffPrefixes.remove(prefix) == nil { tiffPrefixes.insert(prefix) }
  }

  private func isTIFF(_ prefix: Bytes) -> Bool {
    !tiffPrefixes.isEmpty && tiffPrefixes.contains(UntrustedText(prefix))
  }

  /// Reads an attribute; nil where it is malformed.
  private mutating func attribute() -> (prefix: Bytes, local: Bytes, value: Bytes)? {
    let (prefix, local) = name()
    rest = rest.drop(while: isSpace)
    guard !local.isEmpty, prefix.count + local.count <= Self.longestName,
      rest.popFirst() == UInt8(ascii: "=")
    else { return nil }
    rest = rest.drop(while: isSpace)
    guard let quote = rest.popFirst(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
      let end = rest.firstIndex(of: quote)
    else { return nil }
    defer { rest = rest[(end + 1)...] }
    return (prefix, local, rest[..<end])
  }

  /// Reads a name, which may have a prefix.
  private mutating func name() -> (prefix: Bytes, local: Bytes) {
    let name = rest.prefix { !endsName($0) }
    rest = rest[name.endIndex...]
    guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return ([], name) }
    return (name[..<colon], name[(colon + 1)...])
  }

  private func number(_ text: Bytes) -> Orientation? {
    let word = text.drop(while: isSpace).prefix { !isSpace($0) }
    return UntrustedText(word).integer(Int.self).flatMap(Orientation.init)
  }

  /// Moves past the next of these texts; to the end, and false, where there is none.
  @discardableResult
  private mutating func skip(past text: String) -> Bool {
    guard let first = text.utf8.first else { return true }
    while let start = rest.firstIndex(of: first) {
      rest = rest[start...]
      if rest.starts(with: text.utf8) {
        rest = rest.dropFirst(text.utf8.count)
        return true
      }
      rest = rest.dropFirst()
    }
    rest = []
    return false
  }
}

/// Whether a byte is behind a name.
private func endsName(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "\""),
    UInt8(ascii: "'"):
    true
  default: isSpace(byte)
  }
}
