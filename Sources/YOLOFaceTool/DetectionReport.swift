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
      point.map { "\(rounded($0, places: 1))" }.joined(separator: ",")
    }
    return "  score \(rounded(score, places: 3))"
      + "  box \(text([box.x, box.y])) \(rounded(box.width, places: 1))x\(rounded(box.height, places: 1))"
      + "  right eye \(text(landmarks.rightEye))  left eye \(text(landmarks.leftEye))"
      + "  nose \(text(landmarks.nose))  right mouth \(text(landmarks.rightMouth))"
      + "  left mouth \(text(landmarks.leftMouth))"
  }
}

/// A thousandth of a pixel is far below what the network can tell.
private func rounded(_ number: Double, places: Int = 3) -> Double {
  let factor = (0..<places).reduce(1.0) { product, _ in product * 10 }
  return (number * factor).rounded() / factor
}
