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
    let parent = String(file[..<(lastSlash(in: file) ?? file.startIndex)])
    if prepared.insert(parent).inserted { try prepareDirectory(parent) }
    let text = widerText(picture.detections, fileName: fileName(of: picture.name))
    try writeFile(Array("\(text)\n".utf8), to: file)
  }
}

/// Writes detections as a JSON array of COCO's results.
///
/// - Parameters:
///   - pictures: what was detected.
///   - truth: where the pictures have their identifiers and faces their category; without, pictures are
///     numbered from 1 in its order.
///   - path: where the file is written.
/// - Throws: `FileError`.
func writeCOCODetections(
  _ pictures: [ExaminedPicture], of truth: [TruePicture], to path: String
) throws {
  let identifiers = Dictionary(
    truth.enumerated().map { ($1.name, $1.identifier ?? $0 + 1) },
    uniquingKeysWith: { first, _ in first })
  let category = truth.first?.category ?? 1
  let detections = pictures.flatMap { picture in
    picture.detections.map {
      COCODetection($0, image: identifiers[picture.name] ?? 0, category: category)
    }
  }
  try writeFile(Array(try detections.json().utf8), to: path)
}
