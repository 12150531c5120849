import FaceDecoding

/// The XML form of PASCAL VOC: an `annotation` for each picture, with an `object` for each box
/// (http://host.robots.ox.ac.uk/pascal/VOC, the development kit's documentation).
///
/// Every object counts as a face, whatever its name; `difficult` ones are ignored. Edges are used
/// as written: `xmax − xmin` is the width, as in the tools that write this form for other data
/// sets. (VOC itself counts from 1 and includes `xmax`.) Boxes of an object's parts are skipped.
public enum VOCGroundTruth {
  /// The faces of one picture.
  ///
  /// - Parameters:
  ///   - bytes: the file's.
  ///   - source: the file's name, for errors.
  ///   - name: the picture's path without its suffix.
  /// - Throws: `GroundTruthError` where it is not XML of this form.
  public static func read(
    _ bytes: [UInt8], source: String, name: String
  ) throws(GroundTruthError) -> GroundTruthPicture {
    var elements = XMLElements(bytes, source: source)
    var picture = GroundTruthPicture(name: name, faces: [])
    var object = Object()
    var (width, height): (Double?, Double?)
    var hasAnnotation = false
    while let element = try elements.next() {
      func number() throws(GroundTruthError) -> Double {
        try VOCGroundTruth.number(in: element, elements)
      }
      switch element.path {
      case "annotation": hasAnnotation = true
      case "annotation/size/width": width = try number()
      case "annotation/size/height": height = try number()
      case "annotation/object/difficult": object.isDifficult = try number() != 0
      case "annotation/object/bndbox/xmin": object.left = try number()
      case "annotation/object/bndbox/ymin": object.top = try number()
      case "annotation/object/bndbox/xmax": object.right = try number()
      case "annotation/object/bndbox/ymax": object.bottom = try number()
      case "annotation/object":
        guard picture.faces.count < GroundTruthLimits.faces else {
          throw elements.failure("too many objects", "at most \(GroundTruthLimits.faces)")
        }
        picture.faces.append(try object.face(endingAt: element.line, elements))
        object = Object()
      default: break
      }
    }
    guard hasAnnotation else { throw elements.failure("no annotation", "one as the root") }
    // Some tools write a size of 0.
    if let width, let height, width > 0, height > 0 {
      picture.size = Size(width: width, height: height)
    }
    return picture
  }

  private static func number(
    in element: XMLElements.Element, _ elements: XMLElements
  ) throws(GroundTruthError) -> Double {
    guard let number = decimalNumber(element.text) else {
      throw elements.failure(
        "\"\(element.text)\" in \(element.path)",
        "a number up to \(Int(GroundTruthLimits.coordinate))", line: element.line)
    }
    return number
  }
}

/// An object that is still being read.
private struct Object {
  var left, top, right, bottom: Double?
  var isDifficult = false

  func face(endingAt line: Int, _ elements: XMLElements) throws(GroundTruthError) -> GroundTruthFace
  {
    guard let left, let top, let right, let bottom else {
      throw elements.failure(
        "an object without a whole box", "bndbox with xmin, ymin, xmax, ymax", line: line)
    }
    guard right >= left, bottom >= top else {
      throw elements.failure(
        "a box from \(left), \(top) to \(right), \(bottom)", "xmin ≤ xmax and ymin ≤ ymax",
        line: line)
    }
    return GroundTruthFace(
      box: Rectangle(x: left, y: top, width: right - left, height: bottom - top),
      standing: isDifficult ? .ignored : .counted)
  }
}
