import YOLOFace

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The faces of one picture, as the tool prints them.
struct DetectionReport: Encodable {
  struct Face: Encodable {
    struct Box: Encodable {
      var x, y, width, height: Double
    }
    struct Landmarks: Encodable {
      var rightEye, leftEye, nose, rightMouth, leftMouth: [Double]
    }

    var score: Double
    var box: Box
    var landmarks: Landmarks
    /// Where the cut-out face was written.
    var crop: String?
    /// Where the aligned face was written.
    var aligned: String?
  }

  var image: String
  var width: Int
  var height: Int
  var faces: [Face]

  init(path: String, image: RGBImage, faces: [FaceDecoding.Face]) {
    self.image = path
    width = image.width
    height = image.height
    self.faces = faces.map(Face.init)
  }

  /// Adds to each face where its pictures were written.
  mutating func add(_ files: [CutOptions.Files]) {
    for (index, files) in zip(faces.indices, files) {
      faces[index].crop = files.crop
      faces[index].aligned = files.aligned
    }
  }

  /// One line of JSON with sorted keys.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// A line for the picture and one for each face.
  var text: String {
    let count = faces.count == 1 ? "1 face" : "\(faces.count) faces"
    return (["\(image): \(width) × \(height) pixels, \(count)"] + faces.map(\.text))
      .joined(separator: "\n")
  }
}

extension DetectionReport.Face {
  init(_ face: Face) {
    func pixels(_ point: Point) -> [Double] { [rounded(point.x), rounded(point.y)] }
    score = rounded(Double(face.score), places: 5)
    box = Box(
      x: rounded(face.box.x), y: rounded(face.box.y), width: rounded(face.box.width),
      height: rounded(face.box.height))
    landmarks = Landmarks(
      rightEye: pixels(face.landmarks.rightEye), leftEye: pixels(face.landmarks.leftEye),
      nose: pixels(face.landmarks.nose), rightMouth: pixels(face.landmarks.rightMouth),
      leftMouth: pixels(face.landmarks.leftMouth))
  }

  var text: String {
    func text(_ point: [Double]) -> String {
      point.map { fixed($0, decimals: 1) }.joined(separator: ",")
    }
    return "  score \(fixed(score, decimals: 3))"
      + "  box \(text([box.x, box.y]))"
      + " \(fixed(box.width, decimals: 1))x\(fixed(box.height, decimals: 1))"
      + "  right eye \(text(landmarks.rightEye))  left eye \(text(landmarks.leftEye))"
      + "  nose \(text(landmarks.nose))  right mouth \(text(landmarks.rightMouth))"
      + "  left mouth \(text(landmarks.leftMouth))"
      + (crop.map { "  crop \($0)" } ?? "") + (aligned.map { "  aligned \($0)" } ?? "")
  }
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
