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
  return plot.chart.image
}

/// Recall to the right and precision up, both from 0 to 1.
private struct Plot {
  private(set) var chart = Chart(
    width: 720, height: 560, area: Rectangle(x: 64, y: 44, width: 636, height: 456))

  private func point(_ recall: Double, _ precision: Double) -> Point {
    let area = chart.area
    return Point(x: area.minX + area.width * recall, y: area.minY + area.height * (1 - precision))
  }

  mutating func drawAxes() {
    for tenth in 0...10 {
      let value = Double(tenth) / 10
      let label = tenth % 2 == 0 ? fixed(value, decimals: 1) : nil
      let place = point(value, value)
      chart.drawColumn(at: place.x, label: label, below: 12)
      chart.drawRow(at: place.y, label: label)
    }
    chart.drawFrame()
    let area = chart.area
    let recall = "recall"
    chart.image.write(recall, x: area.center.x - Chart.width(of: recall) / 2, y: area.maxY + 36)
    chart.image.write("precision", x: area.minX - 42, y: area.minY - 32)
  }

  mutating func draw(_ curve: PrecisionRecallCurve, _ color: Color) {
    var last: Point?
    for step in 0...Int(chart.area.width) {
      let recall = Double(step) / chart.area.width
      let next = point(recall, curve.interpolatedPrecision(atRecall: recall))
      if let last { chart.line(last.x, last.y, next.x, next.y, color, width: 2) }
      last = next
    }
  }

  mutating func drawLegend(_ text: String, _ number: Int, _ color: Color) {
    let (left, middle) = (chart.area.minX, chart.area.maxY - 120 + 24 * Double(number))
    let ground = Rectangle(
      x: left + 8, y: middle - 11, width: Chart.width(of: text) + 56, height: 22)
    chart.image.fillRectangle(ground, color: .white, opacity: 0.85)
    chart.line(left + 16, middle, left + 44, middle, color, width: 4)
    chart.image.write(text, x: left + 56, y: middle - 7)
  }
}

extension Color {
  fileprivate static let curves = [
    .black, Color(red: 215, green: 50, blue: 40), Color(red: 240, green: 150, blue: 20),
    Color(red: 40, green: 160, blue: 70), Color(red: 40, green: 100, blue: 220),
  ]
}
