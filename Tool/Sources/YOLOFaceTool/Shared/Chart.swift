import YOLOFace

/// A chart on white: an area with a pale grid, and black text beside it.
struct Chart {
  var image: RGBImage
  let area: Rectangle

  init(width: Int, height: Int, area: Rectangle) {
    image = RGBImage(width: width, height: height, fill: .white)
    self.area = area
  }

  /// Draws a vertical line of the grid, and writes a label some pixels below it.
  mutating func drawColumn(at x: Double, label: String?, below gap: Double) {
    line(x, area.minY, x, area.maxY, .pale)
    if let label { image.write(label, x: x - Self.width(of: label) / 2, y: area.maxY + gap) }
  }

  /// Draws a horizontal line of the grid, and writes a label to its left.
  mutating func drawRow(at y: Double, label: String?) {
    line(area.minX, y, area.maxX, y, .pale)
    if let label { image.write(label, x: area.minX - 8 - Self.width(of: label), y: y - 7) }
  }

  mutating func drawFrame() { image.strokeRectangle(area, lineWidth: 1, color: .black) }

  mutating func line(
    _ x0: Double, _ y0: Double, _ x1: Double, _ y1: Double, _ color: Color, width: Double = 1
  ) {
    image.drawLine(
      from: Point(x: x0, y: y0), to: Point(x: x1, y: y1), lineWidth: width, color: color)
  }

  static func width(of text: String) -> Double { Double(RGBImage.textSize(text, scale: 2).width) }
}

extension RGBImage {
  mutating func write(_ text: String, x: Double, y: Double) {
    drawText(text, at: Point(x: x, y: y), scale: 2, color: .black)
  }
}

extension Color {
  fileprivate static let pale = Color(red: 225, green: 225, blue: 225)
}
