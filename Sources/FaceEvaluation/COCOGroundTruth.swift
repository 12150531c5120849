import FaceDecoding

/// The JSON form of COCO (https://cocodataset.org/#format-data): of `images` their `id`, `file_name`
/// and, where stated, `width` and `height`; of `annotations` their `image_id`, `bbox` (x, y, width,
/// height in pixels), `iscrowd` and `category_id`.
///
/// Every annotation is taken for a face, whatever its category, and the first one's category stands for
/// all where detections are written; those with `iscrowd` 1 are crowds. A face's size is that of its
/// box; `area` is not read.
struct COCOTruth: Decodable {
  struct Image: Decodable {
    var id: Int
    var fileName: String
    var width: Int?
    var height: Int?

    enum CodingKeys: String, CodingKey {
      case id, width, height
      case fileName = "file_name"
    }
  }

  struct Annotation: Decodable {
    var imageID: Int
    var bbox: [Double]
    var isCrowd: Int?
    var category: Int?

    enum CodingKeys: String, CodingKey {
      case bbox
      case imageID = "image_id"
      case isCrowd = "iscrowd"
      case category = "category_id"
    }
  }

  var images: [Image]
  var annotations: [Annotation]

  func pictures(source: String) throws(TruthError) -> [TruePicture] {
    func failure(_ element: String, _ found: String, _ expected: String) -> TruthError {
      TruthError(file: source, position: .element(element), found: found, expected: expected)
    }
    var faces: [Int: [TrueFace]] = [:]
    for image in images {
      guard faces.updateValue([], forKey: image.id) == nil else {
        throw failure("images", "the id \(image.id) a second time", "each image once")
      }
    }
    for (index, annotation) in annotations.enumerated() {
      let element = "annotations[\(index)]"
      let box = annotation.bbox
      guard box.count == 4, box.allSatisfy({ $0.magnitude <= TruthLimits.coordinate }),
        box[2] >= 0, box[3] >= 0
      else {
        throw failure(element, "the bbox \(excerpt(box))", "x, y, width and height in pixels")
      }
      guard let count = faces[annotation.imageID]?.count else {
        throw failure(element, "the image_id \(annotation.imageID)", "the id of an image")
      }
      guard count < TruthLimits.faces else {
        throw failure(element, "more faces in a picture", "at most \(TruthLimits.faces)")
      }
      faces[annotation.imageID]?.append(
        TrueFace(
          box: Rectangle(x: box[0], y: box[1], width: box[2], height: box[3]),
          standing: annotation.isCrowd == 1 ? .crowd : .counted))
    }
    var result = TruePictures()
    for (index, image) in images.enumerated() {
      let size = try pictureSize(width: image.width, height: image.height) { found, expected in
        failure("images[\(index)]", found, expected)
      }
      try result.append(
        TruePicture(
          name: image.fileName, identifier: image.id, category: annotations.first?.category,
          size: size, faces: faces[image.id] ?? []),
        failure: { failure("images[\(index)]", $0, $1) })
    }
    return result.pictures
  }
}

/// A row of numbers for an error, cut off where it is longer than any that is right.
func excerpt(_ numbers: [Double]) -> String {
  numbers.count <= 16 ? "\(numbers)" : "of \(numbers.count) numbers"
}

/// A picture's size in pixels, where both sides are stated.
func pictureSize(
  width: Int?, height: Int?, failure: (String, String) -> TruthError
) throws(TruthError) -> Size? {
  guard let width, let height else { return nil }
  let sides = 1...Int(TruthLimits.coordinate)
  guard sides.contains(width), sides.contains(height) else {
    throw failure("\(width) × \(height) pixels", "sides from 1 to \(sides.upperBound)")
  }
  return Size(width: Double(width), height: Double(height))
}
