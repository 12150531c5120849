import FaceDecoding
import Untrusted

/// Detections in JSON: an object for each picture with its faces, as `detect --json` writes it, or one for each face, as
/// COCO's results are (https://cocodataset.org/#format-results), there with the picture's `file_name` or its number.
///
/// A picture that could not be read is none.
struct StoredResults {
  struct Entry: Decodable {
    struct Face: Decodable {
      var score: Double?
      var box: Rectangle
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
      var picture = GroundTruthPicture(name: "", faces: [])
      guard let path = entry.image.map({ UntrustedText($0) }), let faces = entry.faces else {
        guard let numbers = entry.bbox,
          let path = entry.fileName.map({ UntrustedText($0) }) ?? entry.imageID?.text
        else { throw failure("an object of another kind", JSONGroundTruth.forms) }
        if entry.fileName == nil { picture.identifier = path.description }
        try result.append(picture, at: path, ofResults: true, failure: failure)
        let box = numbers.map(\.value)
        let face = try faults.reading { () throws(GroundTruthError) in
          guard let box = Rectangle(box) else {
            throw failure("the bbox \(excerpt(box))", "x, y, width and height in pixels")
          }
          return GroundTruthFace(
            box: box, score: entry.score?.value,
            category: try entry.category.map { id throws(GroundTruthError) in
              GroundTruthCategory(
                name: try categoryName(id.text, failure: failure), number: id.text.integer())
            })
        }
        if let face { try result.append(face, failure: failure) }
        continue
      }
      guard entry.view == nil else {
        throw failure(
          "positions in a view", "those in the picture, without --view, --mirror or --coordinates")
      }
      picture.size = try pictureSize(width: entry.width, height: entry.height, failure: failure)
      try result.append(picture, at: path, ofResults: true, failure: failure)
      for face in faces {
        let box = [face.box.x, face.box.y, face.box.width, face.box.height]
        guard let box = Rectangle(box) else {
          try faults.leaveOut(failure("the box \(box)", "x, y, width and height in pixels"))
          continue
        }
        try result.append(
          GroundTruthFace(box: box, landmarks: face.landmarks, score: face.score), failure: failure)
      }
    }
    return result.pictures
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

extension Rectangle {
  /// The box of x, y, width and height; nil where these are others, negative or beyond the limit.
  init?(_ numbers: [Double]) {
    guard numbers.count == 4, numbers.allSatisfy({ $0.magnitude <= GroundTruthLimits.coordinate }),
      numbers[2] >= 0, numbers[3] >= 0
    else { return nil }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
