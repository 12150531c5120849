import FaceDecoding
import Formatting

/// A detection in COCO's results format.
package struct COCODetection: Codable {
  private enum CodingKeys: String, CodingKey {
    case bbox, score
    case image = "image_id"
    case category = "category_id"
    case fileName = "file_name"
  }

  private(set) var image: Int
  private var category: Int
  /// x, y, width, height in pixels.
  private(set) var bbox: [Double]
  private(set) var score: Float
  /// An addition to COCO's format: the number alone does not identify the picture.
  private(set) var fileName: String?

  package init(_ face: Face, image: Int, category: Int, fileName: String? = nil) {
    self.image = image
    self.category = category
    bbox = [face.box.x, face.box.y, face.box.width, face.box.height].map { rounded($0) }
    score = face.score
    self.fileName = fileName
  }
}

/// Detections in WIDER FACE's results format: the picture's name, the count, and a line
/// `x y w h score` for each, without a newline after the last.
///
/// - Parameter name: the last part of the picture's path, without its suffix. The evaluation in
///   Python identifies the picture by this line; it strips `.jpg` from it and no other suffix.
package func widerText(_ faces: [Face], name: String) -> String {
  let rows = faces.map { face in
    [face.box.x, face.box.y, face.box.width, face.box.height].map { fixed($0, decimals: 2) }
      .joined(separator: " ") + " \(fixed(Double(face.score), decimals: 6))"
  }
  return ([printable(name), "\(rows.count)"] + rows).joined(separator: "\n")
}

/// Detections as YOLOv5 saves them: a line `0 x y w h score` for each. The box is clipped to the
/// picture; its centre, width and height are fractions of the picture's.
package func yoloText(_ faces: [Face], size: Size) -> String {
  faces.map { face in
    let box = face.box.clipped(to: size)
    let numbers = [
      box.center.x / size.width, box.center.y / size.height, box.width / size.width,
      box.height / size.height, Double(face.score),
    ]
    return "0 " + numbers.map { fixed($0, decimals: 6) }.joined(separator: " ")
  }.joined(separator: "\n")
}
