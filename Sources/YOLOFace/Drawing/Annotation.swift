import FaceDecoding
import Raster

extension RGBImage {
  /// Draws faces: box, score and a dot for each landmark if there are any.
  ///
  /// The dots are red for the right eye, green for the left eye, blue for the nose, yellow for the
  /// right and magenta for the left corner of the mouth.
  ///
  /// - Parameters:
  ///   - faces: faces in this picture's pixels, most important first: where two scores compete for
  ///     room, the first is written.
  ///   - style: how each face is drawn.
  public mutating func draw(_ faces: [Face], style: DrawingStyle = DrawingStyle()) {
    let marks = faces.map { face in
      FaceMark(
        box: face.box, landmarks: face.landmarks?.points ?? [], label: scoreText(face),
        color: .boxGreen,
        landmarkColors: Color.landmarks)
    }
    draw(marks, style: style, lineWidth: 1.5, labelScale: 1)
  }

  private func scoreText(_ face: Face) -> String {
    // The order of the arguments makes NaN count as 0.
    let score = min(max(0, face.score), 1)
    let thousandths = Int((score * 1000).rounded())
    return "\(thousandths / 1000).\(String(1000 + thousandths).suffix(3))"
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
