import FaceDecoding
import Untrusted

/// The JSON form of COCO (https://cocodataset.org/#format-data), with a `bbox` as x, y, width, height in pixels.
///
/// Five key points, each as x, y and visibility, are landmarks in the order of `Landmarks.points`; any other number of
/// them is not read. Where tools do not know a size, they write -1 × -1 or 0 × 0: such an image's is not compared with
/// the picture's, and a face with such a box is ignored.
struct COCOGroundTruth: Decodable {
  struct Image: Decodable {
    var id: Identifier
    var fileName: String
    var width, height: Int?

    enum CodingKeys: String, CodingKey {
      case id, width, height
      case fileName = "file_name"
    }
  }

  struct Annotation: Decodable {
    var imageID: Identifier
    var bbox: [Double]
    var isCrowd: Flag?
    var category: Identifier?
    var keypoints: [Double]?

    enum CodingKeys: String, CodingKey {
      case bbox, keypoints
      case imageID = "image_id"
      case isCrowd = "iscrowd"
      case category = "category_id"
    }
  }

  /// 0 or 1, or the words that Python's booleans become.
  struct Flag: Decodable {
    var isSet: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      isSet = try (try? container.decode(Bool.self)) ?? (container.decode(Int.self) != 0)
    }
  }

  struct Category: Decodable {
    var id: Identifier
    var name: String?

    func named(
      _ failure: (String, String) -> GroundTruthError
    ) throws(GroundTruthError) -> GroundTruthCategory {
      GroundTruthCategory(
        name: try categoryName(name.map { UntrustedText($0) } ?? id.text, failure: failure),
        number: id.text.integer())
    }
  }

  /// A number, or in the files of some tools a text, which may also stand for a number elsewhere in the file.
  struct Identifier: Hashable, Decodable {
    var text: UntrustedText

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text = UntrustedText(
        try (try? container.decode(String.self)) ?? "\(container.decode(Int.self))")
    }
  }

  var images: [Image]
  var annotations: [Annotation]?
  var categories: [Category]?

  func pictures(
    source: String, requiresFaces: Bool
  ) throws(GroundTruthError) -> [GroundTruthPicture] {
    func failure(_ element: String, _ found: String, _ expected: String) -> GroundTruthError {
      GroundTruthError(file: source, position: .element(element), found: found, expected: expected)
    }
    guard let annotations = annotations ?? (requiresFaces ? nil : []) else {
      throw GroundTruthError(
        file: source, position: .file, found: "no annotations", expected: "one")
    }
    var named: [Identifier: GroundTruthCategory] = [:]
    var (ofFaces, ofFirst): (GroundTruthCategory?, GroundTruthCategory?)
    for (index, category) in (categories ?? []).enumerated() {
      let value = try category.named { failure("categories[\(index)]", $0, $1) }
      if named[category.id] == nil { named[category.id] = value }
      if ofFaces == nil, value.isCalled("face") { ofFaces = value }
    }
    var faces: [Identifier: [GroundTruthFace]] = [:]
    for image in images {
      guard faces.updateValue([], forKey: image.id) == nil else {
        throw failure(
          "images", "the id \(image.id.text.excerpt(300)) a second time", "each image once")
      }
    }
    for (index, annotation) in annotations.enumerated() {
      let element = "annotations[\(index)]"
      let box = annotation.bbox
      guard box.count == 4, box.allSatisfy({ $0.magnitude <= GroundTruthLimits.coordinate }),
        box[2] >= 0 && box[3] >= 0 || isUnknown(box[2], box[3])
      else {
        throw failure(element, "the bbox \(excerpt(box))", "x, y, width and height in pixels")
      }
      let points = annotation.keypoints ?? []
      guard points.allSatisfy({ $0.magnitude <= GroundTruthLimits.coordinate }) else {
        throw failure(
          element, "the keypoints \(excerpt(points))",
          "numbers up to \(Int(GroundTruthLimits.coordinate))")
      }
      guard let count = faces[annotation.imageID]?.count else {
        throw failure(
          element, "the image_id \(annotation.imageID.text.excerpt(300))", "the id of an image")
      }
      guard count < GroundTruthLimits.faces else {
        throw failure(element, "too many faces in a picture", "at most \(GroundTruthLimits.faces)")
      }
      let category = try annotation.category.map { id throws(GroundTruthError) in
        if let category = named[id] { return category }
        return try Category(id: id).named { failure(element, $0, $1) }
      }
      if index == 0 { ofFirst = category }
      faces[annotation.imageID]?.append(
        GroundTruthFace(
          box: Rectangle(x: box[0], y: box[1], width: max(0, box[2]), height: max(0, box[3])),
          landmarks: Landmarks(visible: points[...])?.ifKnown,
          standing: annotation.isCrowd?.isSet == true ? .crowd : .counted,
          category: category))
    }
    var result = GroundTruthPictures()
    for (index, image) in images.enumerated() {
      func failureOfImage(_ found: String, _ expected: String) -> GroundTruthError {
        failure("images[\(index)]", found, expected)
      }
      let picture = GroundTruthPicture(
        name: "", identifier: image.id.text.description, category: ofFaces ?? ofFirst,
        size: try pictureSize(width: image.width, height: image.height, failure: failureOfImage),
        faces: faces[image.id] ?? [])
      try result.append(picture, at: UntrustedText(image.fileName), failure: failureOfImage)
    }
    return result.pictures
  }
}

/// A row of numbers for an error, or only their count where there are too many.
func excerpt(_ numbers: [Double]) -> String {
  numbers.count <= 16 ? "\(numbers)" : "of \(numbers.count) numbers"
}

/// Whether a size is one that tools write where they know none.
private func isUnknown<Number: SignedNumeric>(_ width: Number, _ height: Number) -> Bool {
  width == height && (width == 0 || width == -1)
}

/// A picture's size in pixels, where both sides are stated.
func pictureSize(
  width: Int?, height: Int?, failure: (String, String) -> GroundTruthError
) throws(GroundTruthError) -> Size? {
  guard let width, let height, !isUnknown(width, height) else { return nil }
  let sides = 1...Int(GroundTruthLimits.coordinate)
  guard sides.contains(width), sides.contains(height) else {
    throw failure("\(width) × \(height) pixels", "sides from 1 to \(sides.upperBound)")
  }
  return Size(width: Double(width), height: Double(height))
}
