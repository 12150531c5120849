// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceFormatting

/// A picture of where the time of a detection goes: time runs to the right, and each part is as wide as its median.
///
/// The lowest rectangle is the whole detection. Above it are the stages; above the network's stage, runs of steps with
/// results of the same rows and columns; and above these the steps, coloured by how close they come to the roof. A step
/// is hatched that took more than twice its median in the run that the table shows.
func flamePicture(of report: ProfileReport) -> SVG {
  let network = report.steps.reduce(0) { $0 + $1.medianMicroseconds }
  let stages = report.stages.map { stage in
    let isNetwork = stage.name == ProfileReport.networkStage
    return (name: stage.name, isNetwork, time: isNetwork ? network : stage.medianMicroseconds)
  }
  var flame = Flame(of: report, whole: stages.reduce(0) { $0 + $1.time })
  flame.drawLegend()
  flame.drawScale()
  let name = report.image.map(fileName) ?? "a generated picture"
  flame.drawBox("\(name), the sum of medians", "#cdcdcd", from: 0, for: flame.whole, top: 535)
  var start = 0.0
  for (name, isNetwork, time) in stages {
    flame.drawBox(name, "#e1e1e1", from: start, for: time, top: 494)
    if isNetwork { flame.drawNetwork(report.steps, at: start) }
    start += time
  }
  return flame.picture
}

private struct Flame {
  var picture: SVG
  /// Microseconds.
  let whole: Double

  init(of report: ProfileReport, whole: Double) {
    self.whole = whole
    let runs = counted(report.repetitions, "run")
    picture = SVG(
      width: 1600, height: 630,
      title:
        "\(report.conditions), input \(report.inputWidth) × \(report.inputHeight), medians of \(runs)"
    )
  }

  private func x(_ microseconds: Double) -> Double {
    20 + 1560 * (whole > 0 ? microseconds / whole : 0)
  }

  mutating func drawLegend() {
    let last = "80 % and more of what peak and bandwidth allow a step"
    let texts = [
      "below 20 %", "20–40 %", "40–60 %", "60–80 %", last,
      "more than twice its median in the run of the table",
    ]
    var x = 20.0
    for (color, text) in zip(roofColors + ["url(#hatch)"], texts) {
      let swatch = Box(x: x, y: 48, width: 28, height: 20)
      if color.hasPrefix("url") { picture.fill(swatch, "#cdcdcd") }
      picture.fill(swatch, color)
      picture.write(text, x: x + 36, y: 63)
      x += 60 + SVG.width(of: text)
    }
  }

  mutating func drawScale() {
    for time in ticks(upTo: whole / 1000, count: 15, unit: 0.001) {
      let x = x(time * 1000)
      picture.line([Point2D(x: x, y: 576), Point2D(x: x, y: 584)])
      picture.write("\(rounded(time)) ms", x: x, y: 600, anchor: time == 0 ? "start" : "middle")
    }
  }

  mutating func drawNetwork(_ steps: [ProfileReport.Step], at start: Double) {
    var start = start
    var rest = steps[...]
    while let size = rest.first?.size {
      let run = rest.prefix { $0.size == size }
      rest = rest.dropFirst(run.count)
      let time = run.reduce(0) { $0 + $1.medianMicroseconds }
      drawBox(size, "#eeeeee", from: start, for: time, top: 453)
      for step in run {
        drawStep(step, from: start)
        start += step.medianMicroseconds
      }
    }
  }

  private mutating func drawStep(_ step: ProfileReport.Step, from start: Double) {
    let time = step.medianMicroseconds
    let label = "\(step.name), \(step.kind)"
    let area = drawBox(
      label, roofColor(step.shareOfRoof), from: start, for: time, top: 92, height: 360)
    if step.microseconds > 2 * time {
      let times =
        "\(milliseconds(time)), \(milliseconds(step.microseconds)) in the run of the table"
      picture.fill(area, "url(#hatch)", hint: "\(label): \(times)")
    }
  }

  /// Draws a part, with a gap before the next if it is wide enough to remain visible, and its label if it fits; a
  /// tall part's runs upwards.
  @discardableResult
  mutating func drawBox(
    _ label: String, _ color: String, from start: Double, for time: Double, top: Double,
    height: Double = 40
  ) -> Box {
    let width = x(start + time) - x(start)
    let area = Box(x: x(start), y: top, width: width - (width > 2 ? 1 : 0), height: height)
    let label = "\(label): \(milliseconds(time))"
    picture.fill(area, color, hint: label)
    let isUpright = height > 40
    let (across, along) = isUpright ? (area.width, height) : (height, area.width)
    guard across >= 11, SVG.width(of: label, isSmall: isUpright) + 8 <= along else { return area }
    picture.write(
      label, x: isUpright ? area.center.x + 4 : area.minX + 4,
      y: isUpright ? area.maxY - 4 : area.center.y + 5, color: "#111",
      style: isUpright ? "small" : "",
      isUpright: isUpright)
    return area
  }
}

extension ProfileReport.Step {
  /// The rows and columns of the result, or all axes if there are at most two.
  fileprivate var size: String {
    let sides = shape.split(separator: "x")
    return (sides.count > 2 ? sides.dropFirst() : sides[...]).joined(separator: " × ")
  }
}

private func milliseconds(_ microseconds: Double) -> String {
  "\(fixed(microseconds / 1000, decimals: 3)) ms"
}

/// From far below the roof to close to it.
private let roofColors = ["#e66150", "#fca06e", "#fee090", "#a0cde1", "#6e9bd2"]

func roofColor(_ share: Double?) -> String {
  roofColors[min(max(Int(min(share ?? 0, 1) * 5), 0), 4)]
}
