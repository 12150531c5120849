// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceUntrusted

/// Detections in JSON: an object for each picture with its faces, as `detect --json` writes it, or one for each face, as
/// COCO's results are (https://cocodataset.org/#format-results), there with the picture's `file_name` or its number.
///
/// A picture that could not be read is none.
struct StoredResults {
  struct Entry: Decodable {
    struct Face: Decodable {
      var score: Double?
      var box: Box
      var landmarks: Landmarks?
    }

    struct View: Decodable {}

    var image, error: String?
    var width, height: Int?
    var faces: [Face]?
    var view: View?

    var fileName: String?
    var imageID, category: COCOGroundTruth.Identifier?
    var bbox: [LooseNumber]?
    var score: LooseNumber?

    enum CodingKeys: String, CodingKey {
      case image, error, width, height, faces, view, bbox, score
      case fileName = "file_name"
      case imageID = "image_id"
      case category = "category_id"
    }
  }

  let entries: [Entry]

  func pictures(
    source: String, noting faults: GroundTruthFaults
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    var result = GroundTruthPictures(noting: faults)
    for (index, entry) in entries.enumerated() where entry.error == nil {
      func failure(_ found: String, _ expected: String) -> GroundTruthError {
        GroundTruthError(
          file: source, position: .element("[\(index)]"), found: found, expected: expected)
      }
      guard let path = entry.path, let faces = entry.faces ?? entry.face.map({ [$0] }) else {
        throw failure("an object of another kind", JSONGroundTruth.forms)
      }
      guard entry.view == nil else {
        throw failure(
          "positions in a view", "those in the picture, without --view, --mirror or --coordinates")
      }
      let isRead: Void? = try faults.reading { () throws(GroundTruthError) in
        let picture = GroundTruthPicture(
          name: "", identifier: entry.isNumbered ? path.description : nil,
          size: try pictureSize(width: entry.width, height: entry.height, failure: failure),
          faces: [])
        try result.append(picture, at: path, ofResults: true, failure: failure)
      }
      if isRead == nil { continue }
      let category = try entry.category.map { id throws(GroundTruthError) in
        try COCOGroundTruth.Category(id: id).named(failure)
      }
      for face in faces {
        let numbers = [face.box.x, face.box.y, face.box.width, face.box.height]
        let others =
          [face.score ?? 0] + (face.landmarks?.points ?? []).flatMap { [$0.x, $0.y] }
        guard let box = Box(numbers),
          others.allSatisfy({ $0.magnitude <= GroundTruthLimits.coordinate })
        else {
          try faults.leaveOut(
            failure("the box \(numbers) with \(excerpt(others))", "a box, a score and points"))
          continue
        }
        try result.append(
          GroundTruthFace(
            box: box, landmarks: face.landmarks, score: face.score, category: category),
          failure: failure)
      }
    }
    return result.pictures
  }
}

extension StoredResults.Entry {
  /// The picture's path, or its number where that is all there is.
  fileprivate var path: UntrustedText? {
    (image ?? fileName).map { UntrustedText($0) } ?? imageID?.text
  }

  fileprivate var isNumbered: Bool { image == nil && fileName == nil }

  /// The face of one of COCO's results; its numbers are none where they are not four.
  fileprivate var face: Face? {
    guard let numbers = bbox?.map(\.value) else { return nil }
    func number(_ index: Int) -> Double { numbers.count == 4 ? numbers[index] : .nan }
    return Face(
      score: score?.value,
      box: Box(x: number(0), y: number(1), width: number(2), height: number(3)))
  }
}

/// A number, or a text that is one, as some tools write them; NaN for anything else.
struct LooseNumber: Decodable {
  let value: Double

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    value =
      (try? container.decode(Double.self))
      ?? (try? container.decode(String.self)).flatMap { UntrustedText($0).decimal() } ?? .nan
  }
}

extension Box {
  /// The box of x, y, width and height; nil where these are others, negative or beyond the limit.
  init?(_ numbers: [Double]) {
    guard numbers.count == 4, numbers.allSatisfy({ $0.magnitude <= GroundTruthLimits.coordinate }),
      numbers[2] >= 0, numbers[3] >= 0
    else { return nil }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
