import FaceEvaluation
import FaceReport
import Files
import Formatting
import YOLOFace

/// The file that a data set's tools read for one picture: named like it, below the directory that the
/// picture has below the data set's.
///
/// - Parameter stem: the picture's path below the data set's directory, without its suffix.
func detectionFile(of stem: String, in directory: String) -> String {
  path(of: stem + ".txt", in: directory)
}

/// The bytes of such a file.
func detectionText(_ entries: [String]) -> [UInt8] {
  let text = entries.joined(separator: "\n")
  return Array((text.isEmpty ? "" : text + "\n").utf8)
}

/// Writes detections as WIDER FACE's tools read them, replacing older ones.
///
/// - Throws: `FileError`.
func writeWIDERDetections(
  _ pictures: [ExaminedPicture], to directory: String, by outputs: Outputs
) throws {
  for picture in pictures {
    let text = widerText(picture.detections, name: fileName(of: picture.name))
    try outputs.write(
      detectionText([text]), to: detectionFile(of: picture.name, in: directory), in: directory)
  }
}

/// Writes detections as a JSON array of COCO's results.
///
/// - Parameters:
///   - pictures: what was detected.
///   - truth: where the pictures have their identifiers and faces their category; without, pictures are
///     numbered from 1 in its order.
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
