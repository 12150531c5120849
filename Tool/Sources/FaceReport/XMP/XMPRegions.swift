// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceFiles
import YOLOFaceUntrusted
import YOLOFaceXML

extension XMPSidecar {
  /// The boxes of the faces in an XMP file's regions, in the form of the Metadata Working Group, as fractions of the
  /// picture as it is stored; nil where the file has no such regions.
  ///
  /// A region of another type, or whose area is a point or a circle, is none. A face whose area is not in fractions is
  /// an error.
  public static func faces(in bytes: [UInt8], source: String) throws(FileError) -> [Box]? {
    let document = try XMPDocument(bytes, source: source)
    let lists = document.regions.filter {
      document.elements[$0].name.space == Namespace.regions
    }
    if lists.isEmpty { return nil }
    var faces: [Box] = []
    for item in lists.flatMap(document.items) {
      if let face = try document.face(of: item, source: source) { faces.append(face) }
    }
    return faces
  }
}

extension XMPDocument {
  /// The box of a region, whose parts may be attributes or elements.
  fileprivate func face(of item: Int, source: String) throws(FileError) -> Box? {
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
    let texts = ["x", "y", "w", "h"].compactMap { values[UntrustedText($0)] }
    guard values[UntrustedText("Type")].map({ $0 == "Face" }) ?? true, texts.count == 4 else {
      return nil
    }
    // Programs round fractions.
    let numbers = texts.compactMap { $0.decimal(upTo: 1.01) as Double? }
    guard numbers.count == 4, numbers.allSatisfy({ $0 >= 0 }) else {
      throw FileError(
        path: source,
        found: "a face's area of \(texts.map { $0.excerpt(40) }.joined(separator: ", "))",
        expected: "fractions of the picture")
    }
    return Box(
      center: Point2D(x: numbers[0], y: numbers[1]),
      size: Size2D(width: numbers[2], height: numbers[3])
    )
  }
}
