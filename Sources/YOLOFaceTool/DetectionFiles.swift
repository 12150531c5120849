import FaceEvaluation
import FaceReport
import Files
import YOLOFace

/// The file that a data set's tools read for one picture: named like it, below the directory that the
/// picture has below the data set's.
///
/// - Parameter stem: the picture's path below the data set's directory, without its suffix.
func detectionFile(of stem: String, in directory: String) -> String {
  path(of: stem + ".txt", in: directory)
}

/// Writes the entries of one picture to such a file, with the directories above it.
///
/// - Throws: `FileError`.
func writeDetections(_ entries: [String], to file: String) throws(FileError) {
  try prepareDirectory(ofFile: file)
  let text = entries.joined(separator: "\n")
  try writeFile(Array((text.isEmpty ? "" : text + "\n").utf8), to: file)
}

/// Writes detections as WIDER FACE's tools read them, replacing older ones.
///
/// - Throws: `FileError`.
func writeWIDERDetections(_ pictures: [ExaminedPicture], to directory: String) throws(FileError) {
  for picture in pictures {
    let text = widerText(picture.detections, name: fileName(of: picture.name))
    try writeDetections([text], to: detectionFile(of: picture.name, in: directory))
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
