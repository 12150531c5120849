import FaceDecoding
import Raster

extension RGBImage {
  /// Draws followed faces: a box in a colour that goes with the ID, the ID above it, and the
  /// landmarks.
  ///
  /// - Parameter faces: IDs and faces in this picture's pixels.
  public mutating func draw(tracked faces: [(id: Int, face: Face)]) {
    let unit = max(1, Double(min(width, height)) / 400)
    for (id, face) in faces {
      let color = Color.tracking[Int(id.magnitude % UInt(Color.tracking.count))]
      let box = face.box
      strokeRectangle(
        x: box.x, y: box.y, width: box.width, height: box.height, lineWidth: 2 * unit,
        color: color)
      for point in face.landmarks.points {
        fillDisc(
          centerX: point.x, centerY: point.y, radius: max(unit, min(box.width, box.height) / 40),
          color: color)
      }
      drawLabel("\(id)", above: box, on: color, scale: Int((2 * unit).rounded()))
    }
  }
}

extension Color {
  /// Colours that are told apart with ease, on light and on dark ground.
  fileprivate static let tracking = [
    Color(red: 64, green: 224, blue: 96), Color(red: 255, green: 176, blue: 32),
    Color(red: 80, green: 176, blue: 255), Color(red: 255, green: 96, blue: 160),
    Color(red: 208, green: 144, blue: 255), Color(red: 240, green: 240, blue: 80),
    Color(red: 64, green: 232, blue: 224), Color(red: 255, green: 112, blue: 80),
  ]
}
