import FaceDecoding
import Raster

extension RGBImage {
  /// Draws followed faces: a box in a colour that goes with the ID, the ID above it, and the
  /// landmarks.
  ///
  /// - Parameters:
  ///   - faces: IDs and faces in this picture's pixels, the most important first: where IDs want the
  ///     same room, its ID is written.
  ///   - style: what is drawn of each face.
  public mutating func draw(
    tracked faces: [(id: Int, face: Face)], style: DrawingStyle = DrawingStyle()
  ) {
    let marks = faces.map { id, face in
      let color = Color.tracking[Int(id.magnitude % UInt(Color.tracking.count))]
      let points = face.landmarks.points
      return FaceMark(
        box: face.box, landmarks: points, label: "\(id)", color: color,
        landmarkColors: points.map { _ in color })
    }
    draw(marks, style: style, lineWidth: 2, labelScale: 2)
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
