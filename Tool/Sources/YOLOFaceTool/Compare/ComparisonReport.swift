import FaceReport
import Formatting
import YOLOFace

/// How similar two faces are, as the tool prints it.
struct ComparisonReport: Encodable {
  /// One of the two faces.
  struct Side: Encodable {
    var image: String
    var face: DetectionReport.Face

    init(path: String, _ face: Face) {
      image = path
      self.face = DetectionReport.Face(face)
    }
  }

  struct Residuals: Encodable {
    var rightEye, leftEye, nose, rightMouth, leftMouth: Double
  }

  var score: Double
  var distance: Double
  var mirrored: Bool
  var residuals: Residuals
  var first: Side
  var second: Side
  /// The path of the picture of both.
  var overlay: String?

  init(_ similarity: LandmarkSimilarity, first: Side, second: Side, overlay: String?) {
    score = rounded(similarity.score, places: 3)
    distance = rounded(similarity.distance, places: 6)
    mirrored = similarity.isMirrored
    let values = similarity.residuals.map { rounded($0, places: 6) }
    residuals = Residuals(
      rightEye: values[0], leftEye: values[1], nose: values[2], rightMouth: values[3],
      leftMouth: values[4])
    self.first = first
    self.second = second
    self.overlay = overlay
  }

  /// The score, the distances behind it, and what it does not measure.
  var text: String {
    func text(_ number: Double) -> String { fixed(number, decimals: 4) }
    return """
      \(printable(first.image)) and \(printable(second.image))\(mirrored ? ", the first mirrored" : ""): \
      score \(fixed(score, decimals: 1)) of 100
        distance \(text(distance))  right eye \(text(residuals.rightEye))  \
      left eye \(text(residuals.leftEye))  nose \(text(residuals.nose))  \
      right mouth \(text(residuals.rightMouth))  left mouth \(text(residuals.leftMouth))
      Five points compare pose and expression, not identity.
      """
  }
}
