import FaceDecoding
import Raster

extension RGBImage {
  /// Draws tracked faces: a box in a colour chosen by the ID, the ID above it, and the landmarks.
  ///
  /// - Parameters:
  ///   - faces: IDs and faces in this picture's pixels, most important first: where two IDs compete
  ///     for room, the first is written.
  ///   - style: how each face is drawn.
  public mutating func draw(
    tracked faces: [(id: Int, face: Face)], style: DrawingStyle = DrawingStyle()
  ) {
    let marks = faces.map { id, face in
      let color = Color.tracking[Int(id.magnitude % UInt(Color.tracking.count))]
      let points = face.landmarks?.points ?? []
      return FaceMark(
        box: face.box, landmarks: points, label: "\(id)", color: color,
        landmarkColors: points.map { _ in color })
    }
    draw(marks, style: style, lineWidth: 2, labelScale: 2)
  }
}

extension Color {
  /// Colours that are easy to tell apart, on light and on dark backgrounds.
  fileprivate static let tracking = [
    Color(red: 64, green: 224, blue: 96), Color(red: 255, green: 176, blue: 32),
    Color(red: 80, green: 176, blue: 255), Color(red: 255, green: 96, blue: 160),
    Color(red: 208, green: 144, blue: 255), Color(red: 240, green: 240, blue: 80),
    Color(red: 64, green: 232, blue: 224), Color(red: 255, green: 112, blue: 80),
  ]
}
