import FaceEvaluation
import FaceReport
import Files
import Formatting
import YOLOFace

/// Writes detections in WIDER FACE's results format, replacing older files. Each picture's file has its
/// name and subdirectory.
///
/// - Throws: `FileError`.
func writeWIDERDetections(
  _ pictures: [ExaminedPicture], to directory: String, by outputs: Outputs
) throws {
  for picture in pictures {
    let text = widerText(picture.detections, name: fileName(of: picture.name)) + "\n"
    try outputs.write(
      Array(text.utf8), to: path(of: picture.name + ".txt", in: directory), in: directory)
  }
}

/// Writes detections as a JSON array in COCO's results format.
///
/// - Parameters:
///   - pictures: the pictures with their detections.
///   - truth: the ground truth, which gives the pictures' identifiers and the faces' category.
///     Pictures without an identifier are numbered by their position in it, from 1.
///   - path: where the file is written.
///   - outputs: writes it.
/// - Throws: `FileError`.
func writeCOCODetections(
  _ pictures: [ExaminedPicture], of truth: [GroundTruthPicture], to path: String,
  by outputs: Outputs
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
  try outputs.write(Array(try detections.json().utf8), to: path)
}
