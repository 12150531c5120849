// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceFormatting
import YOLOFaceReport
import YOLOFaceUntrusted

/// What is said of the numbers of objects of several categories; nil where there is one.
func categoriesMessage(faces: [String: Int], leftOut: [String: Int], in source: String) -> String? {
  let counts = leftOut.isEmpty ? faces : leftOut
  guard !leftOut.isEmpty || faces.count > 1 else { return nil }
  let categories = counts.sorted {
    ($1.value, UntrustedText($0.key)) < ($0.value, UntrustedText($1.key))
  }
  let shown = categories.prefix(5).map { "\($0.key) (\($0.value))" }.joined(separator: ", ")
  let rest = categories.count > 5 ? " and \(categories.count - 5) more categories" : ""
  let objects = counted(counts.values.reduce(0, +), "object")
  return leftOut.isEmpty
    ? "\(source): the objects of each category count as faces: \(shown)\(rest); --category names those that do"
    : "\(source): \(objects) of other categories left out: \(shown)\(rest); --category names those that count"
}

func writeWIDERDetections(
  _ pictures: [ExaminedPicture], to directory: String, by outputs: Outputs
) throws {
  for picture in pictures {
    let text = widerText(picture.detections, name: fileName(of: picture.name)) + "\n"
    try outputs.write(
      Array(text.utf8), to: path(of: picture.name + ".txt", in: directory), in: directory)
  }
}

/// The numbers of pictures by their names; a picture without an identifier is numbered by its position, from 1. An
/// identifier that is no number is an error: results have numbers alone.
func imageNumbers(
  _ pictures: [GroundTruthPicture], source: String
) throws(GroundTruthError) -> [UntrustedText: Int] {
  var numbers: [UntrustedText: Int] = [:]
  for (index, picture) in pictures.enumerated() {
    guard let number = Int(picture.identifier ?? "\(index + 1)") else {
      throw GroundTruthError(
        file: source, position: .element("images[\(index)].id"),
        found: "the text \"\(picture.identifier ?? "")\"",
        expected: "a number, as in COCO's results")
    }
    numbers[UntrustedText(picture.name)] = number
  }
  return numbers
}

func writeCOCODetections(
  _ pictures: [ExaminedPicture], numbers: [UntrustedText: Int], category: Int, to path: String,
  by outputs: Outputs
) throws {
  let detections = pictures.flatMap { picture in
    let number = numbers[UntrustedText(picture.name)] ?? 0
    return picture.detections.map { COCODetection($0, image: number, category: category) }
  }
  try outputs.write(Array(try detections.json().utf8), to: path)
}
