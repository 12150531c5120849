import YOLOFace

/// The faces of one picture, as the tool prints them: in the picture's pixels, or as a view has them.
struct DetectionReport: Encodable {
  struct Face: Encodable {
    struct Box: Encodable {
      var x, y, width, height: Double
    }
    struct Landmarks: Encodable {
      var rightEye, leftEye, nose, rightMouth, leftMouth: [Double]
    }
    /// Null in JSON where the landmarks do not tell it.
    struct Pose: Encodable {
      struct Angles: Encodable {
        var roll, yaw, pitch: Double
      }
      var angles: Angles?

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(angles)
      }
    }

    var score: Double
    var box: Box
    var landmarks: Landmarks
    /// As the view shows the head.
    var pose: Pose
    /// Where the cut-out face was written.
    var crop: String?
    /// Where the aligned face was written.
    var aligned: String?
  }

  var image: String
  var width: Int
  var height: Int
  var faces: [Face]
  var view: ViewReport?

  init(path: String, image: RGBImage, faces: [FaceDecoding.Face], in space: ViewSpace? = nil) {
    self.image = path
    width = image.width
    height = image.height
    self.faces = faces.map { Face($0, in: space) }
    view = space.map(ViewReport.init)
  }

  /// Adds to each face where its pictures were written.
  mutating func add(_ files: [CutOptions.Files]) {
    for (index, files) in zip(faces.indices, files) {
      faces[index].crop = files.crop
      faces[index].aligned = files.aligned
    }
  }

  /// A line for the picture and one for each face.
  var text: String {
    let count = faces.count == 1 ? "1 face" : "\(faces.count) faces"
    let place = view.map { ", \($0.text)" } ?? ""
    let lines = faces.map { $0.text(decimals: view?.decimals ?? 1) }
    return (["\(image): \(width) × \(height) pixels, \(count)\(place)"] + lines)
      .joined(separator: "\n")
  }
}

extension DetectionReport.Face {
  init(_ face: Face, in space: ViewSpace? = nil) {
    let head = HeadPose(face.landmarks)
    pose = Pose(space.flatMap { head?.seen(in: $0) } ?? head)
    let face = space?.map(face) ?? face
    let places = (space?.coordinateSystem ?? .pixels).decimals.inJSON
    func number(_ number: Double) -> Double { rounded(number, places: places) }
    func pair(_ point: Point) -> [Double] { [number(point.x), number(point.y)] }
    score = rounded(Double(face.score), places: 5)
    box = Box(
      x: number(face.box.x), y: number(face.box.y), width: number(face.box.width),
      height: number(face.box.height))
    landmarks = Landmarks(
      rightEye: pair(face.landmarks.rightEye), leftEye: pair(face.landmarks.leftEye),
      nose: pair(face.landmarks.nose), rightMouth: pair(face.landmarks.rightMouth),
      leftMouth: pair(face.landmarks.leftMouth))
  }

  func text(decimals: Int = 1) -> String {
    func text(_ numbers: [Double], separator: String = ",") -> String {
      numbers.map { fixed($0, decimals: decimals) }.joined(separator: separator)
    }
    return "  score \(fixed(score, decimals: 3))"
      + "  box \(text([box.x, box.y])) \(text([box.width, box.height], separator: "x"))"
      + "  right eye \(text(landmarks.rightEye))  left eye \(text(landmarks.leftEye))"
      + "  nose \(text(landmarks.nose))  right mouth \(text(landmarks.rightMouth))"
      + "  left mouth \(text(landmarks.leftMouth))\(pose.text)"
      + (crop.map { "  crop \($0)" } ?? "") + (aligned.map { "  aligned \($0)" } ?? "")
  }
}

extension DetectionReport.Face.Pose {
  init(_ pose: HeadPose?) {
    angles = pose.map {
      Angles(
        roll: rounded($0.roll, places: 2), yaw: rounded($0.yaw, places: 2),
        pitch: rounded($0.pitch, places: 2))
    }
  }

  var text: String {
    guard let angles else { return "" }
    return "  roll \(fixed(angles.roll, decimals: 1)) yaw \(fixed(angles.yaw, decimals: 1))"
      + " pitch \(fixed(angles.pitch, decimals: 1))"
  }
}

/// The view in which positions are printed.
struct ViewReport: Encodable {
  enum CodingKeys: CodingKey {
    case width, height, coordinates
  }

  var width, height: Int
  var coordinates: String
  /// How many of them a position has in text.
  var decimals: Int

  init(_ space: ViewSpace) {
    width = Int(space.canvasSize.width)
    height = Int(space.canvasSize.height)
    coordinates = space.coordinateSystem.argument
    decimals = space.coordinateSystem.decimals.inText
  }

  var text: String { "view \(width) × \(height), coordinates \(coordinates)" }
}

/// A thousandth of a pixel is far below what the network can tell. Zero has no sign.
func rounded(_ number: Double, places: Int = 3) -> Double {
  let factor = powerOfTen(places)
  return (number * factor).rounded() / factor + 0
}

/// A number with so many decimals; what rounds to zero has no sign.
func fixed(_ number: Double, decimals: Int) -> String {
  let units = (number * powerOfTen(decimals)).rounded()
  // Above, a double has no decimals of its own.
  guard units.magnitude < 0x1p53 else { return "\(number)" }
  var digits = String(Int(units.magnitude))
  digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  return "\(units < 0 ? "-" : "")\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
}

private func powerOfTen(_ exponent: Int) -> Double {
  (0..<exponent).reduce(1) { product, _ in product * 10 }
}
