import FaceEvaluation
import FaceReport
import Files
import YOLOFace

/// Writes detections as WIDER FACE's tools read them: below the directory a file for each picture,
/// named like it and in a directory of its event's name, with the picture's name, the count, and a
/// line `x y w h score` for each detection, best first.
///
/// - Throws: `FileError`.
func writeWIDERDetections(_ pictures: [ExaminedPicture], to directory: String) throws {
  var prepared: Set<String> = []
  for picture in pictures {
    let file = path(of: picture.name + ".txt", in: directory)
    let parent = String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)])
    if prepared.insert(parent).inserted { try prepareDirectory(parent) }
    let name = picture.name.split(separator: "/").last ?? ""
    let rows = picture.detections.map { face in
      let box = face.box
      return [box.x, box.y, box.width, box.height].map { fixed($0, decimals: 2) }
        .joined(separator: " ") + " \(fixed(Double(face.score), decimals: 6))"
    }
    let lines = ["\(name)", "\(rows.count)"] + rows
    try writeFile(Array((lines.joined(separator: "\n") + "\n").utf8), to: file)
  }
}

/// A detection as COCO's tools read it.
private struct COCODetection: Encodable {
  enum CodingKeys: String, CodingKey {
    case bbox, score
    case image = "image_id"
    case category = "category_id"
  }

  var image: Int
  var category = 1
  /// x, y, width, height in pixels.
  var bbox: [Double]
  var score: Float
}

/// Writes detections as a JSON array of COCO's results.
///
/// - Parameters:
///   - pictures: what was detected.
///   - truth: where the pictures have their identifiers; without, they are numbered from 1 in its
///     order.
///   - path: where the file is written.
/// - Throws: `FileError`.
func writeCOCODetections(
  _ pictures: [ExaminedPicture], of truth: [TruePicture], to path: String
) throws {
  let identifiers = Dictionary(
    truth.enumerated().map { ($1.name, $1.identifier ?? $0 + 1) },
    uniquingKeysWith: { first, _ in first })
  let detections = pictures.flatMap { picture in
    picture.detections.map { face in
      let box = face.box
      return COCODetection(
        image: identifiers[picture.name] ?? 0,
        bbox: [box.x, box.y, box.width, box.height].map { rounded($0) }, score: face.score)
    }
  }
  try writeFile(Array(try detections.json().utf8), to: path)
}
