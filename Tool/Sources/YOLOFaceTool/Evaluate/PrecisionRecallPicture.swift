import FaceEvaluation
import Formatting
import YOLOFace

/// A plot of precision over recall, 720 × 560 pixels: the interpolated curve of all faces in black
/// and those of the size classes in colours, with their average precisions.
func precisionRecallPicture(_ accuracy: DetectorAccuracy) -> RGBImage {
  var plot = Plot()
  plot.drawAxes()
  let curves = zip(Color.curves, [(SizeRange.all, accuracy.curve)] + accuracy.sizes)
  for (color, (_, curve)) in curves.reversed() where curve.faceCount > 0 {
    plot.draw(curve, color)
  }
  for (number, (color, (range, curve))) in curves.enumerated() {
    let precision = curve.averagePrecision.map { fixed($0, decimals: 4) } ?? "  -   "
    plot.drawLegend(
      "\(precision) \(range.name), \(counted(curve.faceCount, "face"))", number, color)
  }
  return plot.image
}

/// Recall to the right and precision up, both from 0 to 1.
private struct Plot {
  var image = RGBImage(width: 720, height: 560, fill: .white)
  private let left = 64.0
  private let top = 44.0
  private let width = 636.0
  private let height = 456.0

  private func x(_ recall: Double) -> Double { left + width * recall }
  private func y(_ precision: Double) -> Double { top + height * (1 - precision) }
  private func point(_ recall: Double, _ precision: Double) -> Point {
    Point(x: x(recall), y: y(precision))
  }

  mutating func drawAxes() {
    for tenth in 0...10 {
      let value = Double(tenth) / 10
      for (from, to) in [((value, 0.0), (value, 1.0)), ((0.0, value), (1.0, value))] {
        image.drawLine(
          from: point(from.0, from.1), to: point(to.0, to.1), lineWidth: 1, color: .pale)
      }
      guard tenth % 2 == 0 else { continue }
      let text = fixed(value, decimals: 1)
      image.drawText(
        text, at: Point(x: x(value) - 17, y: top + height + 12), scale: 2, color: .black)
      image.drawText(text, at: Point(x: left - 42, y: y(value) - 7), scale: 2, color: .black)
    }
    image.strokeRectangle(
      Rectangle(x: left, y: top, width: width, height: height), lineWidth: 1, color: .black)
    let recall = "recall"
    let recallWidth = Double(RGBImage.textSize(recall, scale: 2).width)
    image.drawText(
      recall, at: Point(x: left + (width - recallWidth) / 2, y: top + height + 36), scale: 2,
      color: .black)
    image.drawText("precision", at: Point(x: left - 42, y: top - 32), scale: 2, color: .black)
  }

  mutating func draw(_ curve: PrecisionRecallCurve, _ color: Color) {
    var last: Point?
    for step in 0...Int(width) {
      let recall = Double(step) / width
      let next = point(recall, curve.interpolatedPrecision(atRecall: recall))
      if let last {
        image.drawLine(from: last, to: next, lineWidth: 2, color: color)
      }
      last = next
    }
  }

  mutating func drawLegend(_ text: String, _ number: Int, _ color: Color) {
    let middle = top + height - 120 + 24 * Double(number)
    let size = RGBImage.textSize(text, scale: 2)
    let ground = Rectangle(
      x: left + 8, y: middle - 11, width: Double(size.width) + 56, height: 22)
    image.fillRectangle(ground, color: .white, opacity: 0.85)
    image.drawLine(
      from: Point(x: left + 16, y: middle), to: Point(x: left + 44, y: middle), lineWidth: 4,
      color: color)
    image.drawText(text, at: Point(x: left + 56, y: middle - 7), scale: 2, color: .black)
  }
}

extension Color {
  fileprivate static let pale = Color(red: 225, green: 225, blue: 225)

  /// The colours for all faces, then for the size classes.
  fileprivate static let curves = [
    .black, Color(red: 215, green: 50, blue: 40), Color(red: 240, green: 150, blue: 20),
    Color(red: 40, green: 160, blue: 70), Color(red: 40, green: 100, blue: 220),
  ]
}
