// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceUntrusted

/// A JSON object from each picture's path to its `width`, `height` and either `boxes` or `faces`, in pixels:
///
///     {"a.png": {"width": 640, "height": 480, "boxes": [[x0, y0, x1, y1], …]},
///      "b.png": {"width": 640, "height": 480, "faces": [[score, x0, y0, x1, y1, x, y, …], …]}}
///
/// A face is the labeller's confidence, from 0 to 1, two corners of its box, and optionally five
/// landmarks in the order of `Landmarks.points`. Below a confidence of 0.5 it is ignored.
struct LabelGroundTruth {
  struct Picture: Decodable {
    var width, height: Int?
    var boxes, faces: [[LooseNumber]]?
  }

  let labels: [String: Picture]

  /// The pictures, sorted by name, of so many members of the file: the decoder keeps one of those whose paths are the
  /// same but for how Unicode writes an accent.
  func pictures(
    source: String, of members: Int, noting faults: GroundTruthFaults
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    guard members == labels.count else {
      throw GroundTruthError(
        file: source, position: .file,
        found: "\(members) paths of pictures, of which only \(labels.count) differ",
        expected: "each picture once")
    }
    var result = GroundTruthPictures(noting: faults)
    let sorted = labels.map { (UntrustedText($0.key), $0.value) }.sorted { $0.0 < $1.0 }
    for (path, picture) in sorted {
      func failure(_ found: String, _ expected: String) -> GroundTruthError {
        GroundTruthError(
          file: source, position: .element(path.description), found: found, expected: expected)
      }
      try faults.reading { () throws(GroundTruthError) in
        let size = try pictureSize(width: picture.width, height: picture.height, failure: failure)
        try result.append(
          GroundTruthPicture(name: "", size: size, faces: try faces(of: picture, faults, failure)),
          at: path, failure: failure)
      }
    }
    return result.pictures
  }

  private func faces(
    of picture: Picture, _ faults: GroundTruthFaults,
    _ failure: (String, String) -> GroundTruthError
  ) throws(GroundTruthError) -> [GroundTruthFace] {
    let (rows, lengths): ([[LooseNumber]], [Int])
    switch (picture.boxes, picture.faces) {
    case (let boxes?, nil): (rows, lengths) = (boxes, [4])
    case (nil, let faces?): (rows, lengths) = (faces, [5, 15])
    case (nil, nil): throw failure("neither boxes nor faces", JSONGroundTruth.forms)
    default: throw failure("both boxes and faces", "one of them")
    }
    guard rows.count <= GroundTruthLimits.faces else {
      throw failure("\(rows.count) faces", "at most \(GroundTruthLimits.faces)")
    }
    let faces = try rows.map { row throws(GroundTruthError) in
      try faults.reading { () throws(GroundTruthError) in
        let row = row.map(\.value)
        guard lengths.contains(row.count) else {
          throw failure(
            "the face \(excerpt(row))", "x0, y0, x1, y1 or score, x0, y0, x1, y1 and five points")
        }
        return try face(row, failure)
      }
    }
    return faces.compactMap(\.self)
  }

  /// The face of a row of corners, or of confidence, corners and landmarks.
  private func face(
    _ row: [Double], _ failure: (String, String) -> GroundTruthError
  ) throws(GroundTruthError) -> GroundTruthFace {
    guard row.allSatisfy({ $0.magnitude <= GroundTruthLimits.coordinate }) else {
      throw failure(
        "the face \(excerpt(row))", "numbers up to \(Int(GroundTruthLimits.coordinate))")
    }
    let score = row.count == 4 ? nil : row[0]
    let numbers = score == nil ? row : Array(row.dropFirst())
    guard numbers[2] >= numbers[0], numbers[3] >= numbers[1] else {
      throw failure("the face \(row)", "x0 ≤ x1 and y0 ≤ y1")
    }
    return GroundTruthFace(
      box: Box(
        x: numbers[0], y: numbers[1], width: numbers[2] - numbers[0],
        height: numbers[3] - numbers[1]),
      landmarks: Landmarks(numbers[4...]), score: score)
  }
}
