import FaceDecoding
import Files
import Untrusted
import XML

extension XMPSidecar {
  /// The boxes of the faces in an XMP file's regions, in the form of the Metadata Working Group, as fractions of the
  /// picture as it is stored; nil where the file has no such regions.
  ///
  /// A region of another type, or whose area is a point or a circle, is none.
  public static func faces(in bytes: [UInt8], source: String) throws(FileError) -> [Rectangle]? {
    let document = try XMPDocument(bytes, source: source)
    let lists = document.regions.filter {
      document.elements[$0].name.space == Namespace.regions
    }
    return lists.isEmpty ? nil : lists.flatMap(document.items).compactMap(document.face)
  }
}

extension XMPDocument {
  /// The box of a region, whose parts may be attributes or elements.
  fileprivate func face(of item: Int) -> Rectangle? {
    var values: [UntrustedText: UntrustedText] = [:]
    for (index, element) in zip(item..., branch(from: item)) {
      let parts =
        [(element.name, tree.text(of: index)[...])]
        + element.attributes.map { ($0.name, tree.bytes[$0.value]) }
      for (name, text) in parts
      where [Namespace.regions, Namespace.area].contains(where: { name.space == $0 }) {
        values[name.name] = UntrustedText(text).trimming(where: isXMLSpace)
      }
    }
    func number(_ name: String) -> Double? { values[UntrustedText(name)]?.decimal(upTo: 1) }
    guard values[UntrustedText("Type")].map({ $0 == "Face" }) ?? true, let x = number("x"),
      let y = number("y"), let width = number("w"), let height = number("h")
    else { return nil }
    return Rectangle(center: Point(x: x, y: y), size: Size(width: width, height: height))
  }
}
