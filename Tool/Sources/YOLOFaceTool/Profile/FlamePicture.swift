import Formatting
import YOLOFace

/// A picture of where the time of a detection goes, 1600 × 640 pixels: time runs to the right.
///
/// The lowest rectangle is the whole detection. Above it are the stages; above the network's stage, runs of steps with
/// results of the same rows and columns; and above these the steps, coloured by how close they come to the roof.
func flamePicture(of report: ProfileReport) -> RGBImage {
  var flame = Flame(whole: report.whole)
  flame.drawHeading(of: report)
  flame.drawScale()
  let name = report.image.map(fileName) ?? "a generated picture"
  flame.drawBox(
    "\(name), \(milliseconds(report.whole))", .whole, from: 0, for: report.whole, in: .whole)
  var start = 0.0
  for stage in report.stages {
    let time = stage.microseconds
    flame.drawBox(
      "\(stage.name) \(milliseconds(time))", .stage, from: start, for: time, in: .stages)
    if stage.name == ProfileReport.networkStage { flame.drawNetwork(report.steps, at: start) }
    start += time
  }
  return flame.image
}

private struct Row {
  var top, height: Double

  static let steps = Row(top: 92, height: 360)
  static let sizes = Row(top: 453, height: 40)
  static let stages = Row(top: 494, height: 40)
  static let whole = Row(top: 535, height: 40)
}

private struct Flame {
  var image = RGBImage(width: 1600, height: 640, fill: .white)
  /// Microseconds.
  let whole: Double
  private let left = 20.0
  private let width = 1560.0

  init(whole: Double) { self.whole = whole }

  /// Rounded to the edge of a pixel, so that neighbours neither overlap nor blend.
  private func x(_ microseconds: Double) -> Double {
    (left + width * (whole > 0 ? microseconds / whole : 0)).rounded()
  }

  mutating func drawHeading(of report: ProfileReport) {
    image.write(
      "\(report.machine), \(report.precision.rawValue), \(report.instructionSet), "
        + "\(counted(report.threads, "thread")), input \(report.inputWidth) x \(report.inputHeight),"
        + " the median run of \(report.repetitions)", x: left, y: 16)
    var x = left
    let shares = ["below 20 %", "20 - 40 %", "40 - 60 %", "60 - 80 %", "80 %"]
    for (color, text) in zip(Color.roofShares, shares) {
      image.fillRectangle(Rectangle(x: x, y: 48, width: 28, height: 20), color: color)
      image.write(text, x: x + 36, y: 51)
      x += 64 + Chart.width(of: text)
    }
    image.write("and more of what peak and bandwidth allow a step", x: x - 16, y: 51)
  }

  /// Draws a scale in milliseconds below the whole, with the smallest step of 1, 2 or 5 times a
  /// power of ten that leaves room for the numbers.
  mutating func drawScale() {
    guard whole > 0 else { return }
    var (step, factor) = (0.001, 1.0)
    while width * step * factor * 1000 / whole < 100 {
      if factor == 5 { step *= 10 }
      factor = factor == 1 ? 2 : factor == 2 ? 5 : 1
    }
    step *= factor
    for number in 0...Int(whole / 1000 / step) {
      let time = Double(number) * step
      let x = x(time * 1000)
      image.fillRectangle(
        Rectangle(x: x, y: Row.whole.top + 41, width: 1, height: 8), color: .black)
      image.write(fixed(time, decimals: step < 0.1 ? 3 : 1), x: x, y: Row.whole.top + 53)
    }
    image.write("ms", x: left + width - 22, y: Row.whole.top + 73)
  }

  mutating func drawNetwork(_ steps: [ProfileReport.Step], at start: Double) {
    var stepStart = start
    var (size, sizeStart, sizeTime) = ("", start, 0.0)
    for step in steps {
      if step.size != size {
        drawBox(size, .size, from: sizeStart, for: sizeTime, in: .sizes)
        (size, sizeStart, sizeTime) = (step.size, stepStart, 0)
      }
      drawBox(
        "\(step.name), \(step.kind)", .ofRoofShare(step.shareOfRoof ?? 0), from: stepStart,
        for: step.microseconds, in: .steps, isUpright: true)
      sizeTime += step.microseconds
      stepStart += step.microseconds
    }
    drawBox(size, .size, from: sizeStart, for: sizeTime, in: .sizes)
  }

  /// Draws a part, with a gap of a pixel before the next if it is wide enough to remain visible.
  mutating func drawBox(
    _ label: String, _ color: Color, from start: Double, for time: Double, in row: Row,
    isUpright: Bool = false
  ) {
    let (left, right) = (x(start), x(start + time))
    let width = right - left - (right - left > 2 ? 1 : 0)
    image.fillRectangle(
      Rectangle(x: left, y: row.top, width: width, height: row.height), color: color)
    let (across, along) = isUpright ? (width, row.height) : (row.height, width)
    for scale in [2, 1] {
      let height = Double(RGBImage.textSize("", scale: scale).height)
      let letters = Int((along - 8) / Double(6 * scale))
      let label = isUpright ? String(label.prefix(max(0, letters))) : label
      guard across >= height + 2, !label.isEmpty, label.count <= letters else { continue }
      let size = RGBImage.textSize(label, scale: scale)
      var text = RGBImage(width: size.width, height: size.height, fill: color)
      text.drawText(label, at: Point(x: 0, y: 0), scale: scale, color: .black)
      if isUpright { text = text.upright(from: .left) }
      let across = isUpright ? left + (width - height) / 2 : left + 4
      let down = isUpright ? row.height - 4 - Double(text.height) : (row.height - height) / 2
      image.draw(text, atX: Int(across), y: Int(row.top + down))
      return
    }
  }
}

extension ProfileReport.Step {
  /// The rows and columns of the result, or all axes if there are at most two.
  fileprivate var size: String {
    let sides = shape.split(separator: "x")
    return (sides.count > 2 ? sides.dropFirst() : sides[...]).joined(separator: " x ")
  }
}

private func milliseconds(_ microseconds: Double) -> String {
  "\(fixed(microseconds / 1000, decimals: 3)) ms"
}

extension Color {
  fileprivate static let whole = Color(red: 205, green: 205, blue: 205)
  fileprivate static let stage = Color(red: 225, green: 225, blue: 225)
  fileprivate static let size = Color(red: 238, green: 238, blue: 238)

  /// The colours from far below the roof to close to it.
  fileprivate static let roofShares = [
    Color(red: 230, green: 97, blue: 80), Color(red: 252, green: 160, blue: 110),
    Color(red: 254, green: 224, blue: 144), Color(red: 160, green: 205, blue: 225),
    Color(red: 110, green: 155, blue: 210),
  ]

  fileprivate static func ofRoofShare(_ share: Double) -> Color {
    roofShares[min(max(Int(min(share, 1) * 5), 0), 4)]
  }
}
