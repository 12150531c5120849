// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceRaster

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
        color: .boxGreen, landmarkColors: RGBColor.landmarks)
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

extension RGBColor {
  fileprivate static let boxGreen = RGBColor(red: 64, green: 224, blue: 96)

  /// In the order of `Landmarks.points`.
  fileprivate static let landmarks = [
    RGBColor(red: 230, green: 40, blue: 40), RGBColor(red: 40, green: 200, blue: 40),
    RGBColor(red: 60, green: 110, blue: 255), RGBColor(red: 250, green: 210, blue: 40),
    RGBColor(red: 230, green: 60, blue: 220),
  ]
}

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
      let color = RGBColor.tracking[Int(id.magnitude % UInt(RGBColor.tracking.count))]
      let points = face.landmarks?.points ?? []
      return FaceMark(
        box: face.box, landmarks: points, label: "\(id)", color: color,
        landmarkColors: points.map { _ in color })
    }
    draw(marks, style: style, lineWidth: 2, labelScale: 2)
  }
}

extension RGBColor {
  /// Colours that are easy to tell apart, on light and on dark backgrounds.
  fileprivate static let tracking = [
    RGBColor(red: 64, green: 224, blue: 96), RGBColor(red: 255, green: 176, blue: 32),
    RGBColor(red: 80, green: 176, blue: 255), RGBColor(red: 255, green: 96, blue: 160),
    RGBColor(red: 208, green: 144, blue: 255), RGBColor(red: 240, green: 240, blue: 80),
    RGBColor(red: 64, green: 232, blue: 224), RGBColor(red: 255, green: 112, blue: 80),
  ]
}

extension RGBImage {
  /// Draws what a person sees while being guided: the picture dimmed outside the circle, faces
  /// as `draw(_:style:)` draws them, and a tip on a dark background at the bottom.
  ///
  /// - Parameters:
  ///   - circle: where the face should be, in this picture's pixels.
  ///   - faces: faces in this picture's pixels.
  ///   - isGood: whether the circle is green; otherwise it is orange.
  ///   - tip: one line of ASCII text, as large as fits, up to a size that scales with the picture.
  ///   - style: how each face is drawn.
  public mutating func drawGuidance(
    circle: CircularMask, faces: [Face], isGood: Bool, tip: String,
    style: DrawingStyle = DrawingStyle()
  ) {
    let unit = drawingUnit
    fillOutsideOfDisc(center: circle.center, radius: circle.radius, color: .black, opacity: 0.6)
    strokeCircle(
      center: circle.center, radius: circle.radius, lineWidth: 4 * unit,
      color: isGood ? .boxGreen : .orange)
    draw(faces, style: style)
    drawTip(tip, scale: Int((2 * unit).rounded()))
  }

  private mutating func drawTip(_ tip: String, scale: Int) {
    let scales = stride(from: scale, to: 1, by: -1)
    let scale = scales.first { RGBImage.textSize(tip, scale: $0).width + 8 * $0 <= width } ?? 1
    let size = RGBImage.textSize(tip, scale: scale)
    let padding = 4 * Double(scale)
    let ground = Double(size.height) + 2 * padding
    let top = Double(height) - ground
    fillRectangle(
      Box(x: 0, y: top, width: Double(width), height: ground), color: .black, opacity: 0.7)
    let start = Point2D(x: Double(width - size.width) / 2, y: top + padding)
    drawText(tip, at: start, scale: scale, color: .white)
  }
}
