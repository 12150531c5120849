// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceFormatting
import YOLOFaceUntrusted
import YOLOFaceXML

/// The XML form of PASCAL VOC: an `annotation` for each picture, with an `object` for each box
/// (http://host.robots.ox.ac.uk/pascal/VOC, the development kit's documentation).
///
/// The file is well-formed XML with namespaces; numbers are plain text, and of several elements of one kind the
/// first counts. `difficult` objects are ignored. The width is `xmax − xmin`, as in the tools that write this form for
/// other data sets. (VOC itself counts from 1 and includes `xmax`.) Boxes of an object's parts are skipped. A `score`,
/// which VOC does not have, is that of a detection.
public struct VOCGroundTruth {
  /// The faces of one picture, whose path without its suffix is its name; errors name the `source`.
  public static func read(
    _ bytes: [UInt8], source: String, name: String,
    noting faults: GroundTruthFaults = .init(isStrict: true)
  ) throws(GroundTruthError) -> GroundTruthPicture {
    try Self(bytes, source: source).picture(named: name, noting: faults)
  }

  private let tree: XMLTree
  private let source: String

  private init(_ bytes: [UInt8], source: String) throws(GroundTruthError) {
    self.source = source
    do {
      tree = try XMLTree(utf8Text(bytes))
    } catch {
      throw GroundTruthError(
        file: source, position: .line(error.line), found: error.found, expected: error.expected)
    }
    guard tree.elements[0].written == "annotation" else {
      throw failure("<\(tree.elements[0].written)>", "<annotation> as the root", at: 0)
    }
  }

  private func picture(
    named name: String, noting faults: GroundTruthFaults
  ) throws(GroundTruthError) -> GroundTruthPicture {
    var picture = GroundTruthPicture(name: name, faces: [])
    // Some tools write a size of 0.
    if let size = child("size", of: 0), let width = try number("width", of: size),
      let height = try number("height", of: size), width > 0, height > 0
    {
      picture.size = Size2D(width: width, height: height)
    }
    for object in tree.children(of: 0) where tree.elements[object].written == "object" {
      guard picture.faces.count < GroundTruthLimits.faces else {
        throw failure("too many objects", "at most \(GroundTruthLimits.faces)", at: object)
      }
      let face = try faults.reading { () throws(GroundTruthError) in try self.face(of: object) }
      if let face { picture.faces.append(face) }
    }
    return picture
  }

  private func face(of object: Int) throws(GroundTruthError) -> GroundTruthFace {
    guard let box = child("bndbox", of: object), let left = try number("xmin", of: box),
      let top = try number("ymin", of: box), let right = try number("xmax", of: box),
      let bottom = try number("ymax", of: box)
    else {
      throw failure(
        "an object without a whole box", "bndbox with xmin, ymin, xmax, ymax", at: object)
    }
    guard right >= left, bottom >= top else {
      throw failure(
        "a box from \(left), \(top) to \(right), \(bottom)", "xmin ≤ xmax and ymin ≤ ymax", at: box)
    }
    let isDifficult = (try number("difficult", of: object) ?? 0) != 0
    var category: GroundTruthCategory?
    if let name = child("name", of: object) {
      category = GroundTruthCategory(
        name: try categoryName(text(of: name)) { failure($0, $1, at: name) })
    }
    var face = GroundTruthFace(
      box: Box(x: left, y: top, width: right - left, height: bottom - top),
      score: try number("score", of: object), category: category)
    if isDifficult { face.standing = .ignored }
    return face
  }

  /// The first child of a name; elements are named by their positions in the tree.
  private func child(_ name: StaticString, of element: Int) -> Int? {
    tree.children(of: element).first { tree.elements[$0].written == name }
  }

  private func number(_ name: StaticString, of element: Int) throws(GroundTruthError) -> Double? {
    guard let child = child(name, of: element) else { return nil }
    let text = text(of: child)
    guard let number = text.withPoint.decimal(upTo: GroundTruthLimits.coordinate) else {
      throw failure(
        "\"\(text.excerpt(300))\" in <\(name)>",
        "a number up to \(Int(GroundTruthLimits.coordinate))", at: child)
    }
    return number
  }

  private func text(of element: Int) -> UntrustedText {
    UntrustedText(tree.bytes[tree.elements[element].content]).trimming(where: isXMLSpace)
  }

  private func failure(_ found: String, _ expected: String, at element: Int) -> GroundTruthError {
    GroundTruthError(
      file: source, position: .line(tree.line(of: tree.elements[element])),
      found: found, expected: expected)
  }
}
