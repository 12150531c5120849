import FaceAnalysis
import FaceDecoding
import Geometry
import Raster

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
      color: isGood ? .good : .notYet)
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
      Rectangle(x: 0, y: top, width: Double(width), height: ground), color: .black, opacity: 0.7)
    drawText(
      tip, at: Point(x: Double(width - size.width) / 2, y: top + padding), scale: scale,
      color: .white)
  }
}

extension Color {
  fileprivate static let good = Color(red: 64, green: 224, blue: 96)
  fileprivate static let notYet = Color(red: 255, green: 150, blue: 30)
}
