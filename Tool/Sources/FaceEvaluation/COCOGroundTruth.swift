// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceUntrusted

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

  /// Members of another kind are as if they were absent: one annotation need not refuse the others.
  struct Annotation: Decodable {
    var imageID: Identifier?
    var bbox: [Double]?
    var isCrowd = false
    var category: Identifier?
    var keypoints: [Double] = []
    var score: Double?

    enum CodingKeys: String, CodingKey {
      case bbox, keypoints, score
      case imageID = "image_id"
      case isCrowd = "iscrowd"
      case category = "category_id"
    }

    init(from decoder: any Decoder) throws {
      guard let members = try? decoder.container(keyedBy: CodingKeys.self) else { return }
      // An error takes long to make: what is usual comes first.
      func numbers(_ key: CodingKeys) -> [Double]? {
        guard members.contains(key) else { return nil }
        return (try? members.decode([Double].self, forKey: key))
          ?? (try? members.decode([LooseNumber].self, forKey: key))?.map(\.value)
      }
      imageID = try? members.decodeIfPresent(Identifier.self, forKey: .imageID)
      category = try? members.decodeIfPresent(Identifier.self, forKey: .category)
      (bbox, keypoints) = (numbers(.bbox), numbers(.keypoints) ?? [])
      score = (try? members.decodeIfPresent(LooseNumber.self, forKey: .score))
        .flatMap { $0.value.isNaN ? nil : $0.value }
      guard members.contains(.isCrowd) else { return }
      // As Python's booleans are written, too.
      let flag = (try? members.decode(LooseNumber.self, forKey: .isCrowd))?.value ?? .nan
      isCrowd =
        flag.isNaN ? (try? members.decode(Bool.self, forKey: .isCrowd)) ?? false : flag != 0
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
    source: String, requiresFaces: Bool, noting faults: GroundTruthFaults
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
    var result = GroundTruthPictures(noting: faults)
    var indices: [Identifier: Int] = [:]
    for (index, image) in images.enumerated() {
      func failureOfImage(_ found: String, _ expected: String) -> GroundTruthError {
        failure("images[\(index)]", found, expected)
      }
      guard indices[image.id] == nil else {
        try faults.leaveOut(
          failureOfImage("the id \(image.id.text.excerpt(300)) a second time", "each image once"))
        continue
      }
      try faults.reading { () throws(GroundTruthError) in
        var picture = GroundTruthPicture(name: "", boxForm: .cornerAndSize)
        picture.identifier = image.id.text.description
        picture.size = try pictureSize(
          width: image.width, height: image.height, failure: failureOfImage)
        let count = result.pictures.count
        try result.append(picture, at: UntrustedText(image.fileName), failure: failureOfImage)
        if result.pictures.count > count { indices[image.id] = result.last }
      }
    }
    for (index, annotation) in annotations.enumerated() {
      func failureOfFace(_ found: String, _ expected: String) -> GroundTruthError {
        failure("annotations[\(index)]", found, expected)
      }
      try faults.reading { () throws(GroundTruthError) in
        let category = try annotation.category.map { id throws(GroundTruthError) in
          if let category = named[id] { return category }
          return try Category(id: id).named(failureOfFace)
        }
        if index == 0 { ofFirst = category }
        guard let id = annotation.imageID else { throw failureOfFace("no image_id", "one") }
        guard let picture = indices[id] else {
          throw failureOfFace("the image_id \(id.text.excerpt(300))", "the id of an image")
        }
        let face = try annotation.face(of: category, failureOfFace)
        try result.append(face, to: picture, failure: failureOfFace)
      }
    }
    return result.pictures.map { picture in
      var picture = picture
      picture.category = ofFaces ?? ofFirst
      return picture
    }
  }
}

extension COCOGroundTruth.Annotation {
  fileprivate func face(
    of category: GroundTruthCategory?, _ failure: (String, String) -> GroundTruthError
  ) throws(GroundTruthError) -> GroundTruthFace {
    guard let numbers = bbox else { throw failure("no bbox", "x, y, width and height in pixels") }
    let isUnknown = numbers.count == 4 && isUnknown(numbers[2], numbers[3])
    guard let box = Box(isUnknown ? numbers[..<2] + [0, 0] : numbers) else {
      throw failure("the bbox \(excerpt(numbers))", "x, y, width and height in pixels")
    }
    guard keypoints.allSatisfy({ $0.magnitude <= GroundTruthLimits.coordinate }) else {
      throw failure(
        "the keypoints \(excerpt(keypoints))",
        "numbers up to \(Int(GroundTruthLimits.coordinate))")
    }
    var face = GroundTruthFace(
      box: box, landmarks: Landmarks(visible: keypoints[...])?.ifKnown, score: score,
      category: category)
    if isCrowd { face.standing = .crowd }
    return face
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
) throws(GroundTruthError) -> Size2D? {
  guard let width, let height, !isUnknown(width, height) else { return nil }
  let sides = 1...Int(GroundTruthLimits.coordinate)
  guard sides.contains(width), sides.contains(height) else {
    throw failure("\(width) × \(height) pixels", "sides from 1 to \(sides.upperBound)")
  }
  return Size2D(width: Double(width), height: Double(height))
}
