import FaceDecoding
import Raster

extension RGBImage {
  /// Draws faces: box, score and a dot for each landmark.
  ///
  /// The dots are red for the right eye, green for the left eye, blue for the nose, yellow for the
  /// right and magenta for the left corner of the mouth; line widths follow the picture's size.
  ///
  /// - Parameter faces: faces in this picture's pixels.
  public mutating func draw(_ faces: [Face]) {
    let unit = max(1, Double(min(width, height)) / 400)
    for face in faces {
      let box = face.box
      strokeRectangle(
        x: box.x, y: box.y, width: box.width, height: box.height, lineWidth: 1.5 * unit,
        color: .boxGreen)
      let radius = max(unit, min(box.width, box.height) / 40)
      for (point, color) in zip(face.landmarks.points, Color.landmarks) {
        fillDisc(centerX: point.x, centerY: point.y, radius: radius, color: color)
      }
      drawLabel(scoreText(face), above: box, on: .boxGreen, scale: Int(unit.rounded()))
    }
  }

  private func scoreText(_ face: Face) -> String {
    // In this order a score that is NaN counts as 0.
    let score = min(max(0, face.score), 1)
    let thousandths = Int((score * 1000).rounded())
    return "\(thousandths / 1000).\(String(1000 + thousandths).suffix(3))"
  }

  /// A text on a filled ground above a box, or inside it where there is no room above.
  mutating func drawLabel(_ text: String, above box: Rectangle, on ground: Color, scale: Int) {
    let padding = Double(scale)
    let size = RGBImage.textSize(text, scale: scale)
    let height = Double(size.height) + 2 * padding
    let top = box.y >= height ? box.y - height : box.y
    fillRectangle(
      x: box.x, y: top, width: Double(size.width) + 2 * padding, height: height, color: ground,
      opacity: 1)
    drawText(text, x: box.x + padding, y: top + padding, scale: scale, color: .black)
  }
}

extension Color {
  fileprivate static let boxGreen = Color(red: 64, green: 224, blue: 96)

  /// In the order of `Landmarks.points`.
  fileprivate static let landmarks = [
    Color(red: 230, green: 40, blue: 40), Color(red: 40, green: 200, blue: 40),
    Color(red: 60, green: 110, blue: 255), Color(red: 250, green: 210, blue: 40),
    Color(red: 230, green: 60, blue: 220),
  ]
}
