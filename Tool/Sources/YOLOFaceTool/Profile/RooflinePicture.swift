// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceFormatting
import YOLOFaceLibC

/// A chart of the network's steps below the roof, after the paper that `Roofline` names: how fast each computes over how
/// many operations it has for each byte that it moves, in powers of ten. The slopes are what copies of the measured
/// sizes move. The steps that take longest have their names.
func rooflinePicture(of report: ProfileReport) -> SVG {
  var chart = SVG(width: 1000, height: 640, title: "Steps below the roof: \(report.conditions)")
  let area = Box(x: 70, y: 74, width: 900, height: 510)
  let peak = report.peakGigaflops
  let top = log10(report.steps.compactMap(\.gigaflops).reduce(max(peak, 1), max)).rounded(.up)
  // From 0.1 operation for each byte to 1,000, and three powers of ten of speeds.
  func point(_ intensity: Double, _ rate: Double) -> Point2D {
    let across = (log10(max(intensity, 1e-9)) + 1) / 4
    let up = (log10(max(rate, 1e-9)) - top + 3) / 3
    return Point2D(
      x: area.minX + area.width * min(max(across, 0), 1),
      y: area.maxY - area.height * min(max(up, 0), 1))
  }
  func tick(_ number: Double) -> String { number < 1 ? "\(rounded(number))" : "\(Int(number))" }
  chart.axes(
    area, columns: [0.1, 1, 10, 100, 1000].map { (point($0, 1).x, tick($0)) },
    rows: (0...3).map { pow(10, top - Double($0)) }.map { (point(1, $0).y, tick($0)) },
    across: "operations per byte", up: "GFLOP/s")

  // A label that would lie over another is left out.
  var labels: [Point2D] = []
  func label(_ text: String, at place: Point2D) {
    if labels.contains(where: { abs($0.y - place.y) < 12 && abs($0.x - place.x) < 60 }) { return }
    labels.append(place)
    chart.write(text, x: place.x + 8, y: place.y + 4, style: "small")
  }
  for bandwidth in report.bandwidths where bandwidth.gigabytesPerSecond > 0 {
    let speed = bandwidth.gigabytesPerSecond
    let start = max(0.1, pow(10, top - 3) / speed)
    chart.line([point(start, start * speed), point(peak / speed, peak)], opacity: 0.6)
    label(binarySize(bandwidth.bytes), at: point(start, start * speed))
  }
  chart.line([point(0.1, peak), point(1000, peak)], width: 2)
  label("peak \(fixed(peak, decimals: 1))", at: point(300, peak * 1.1))

  let steps = report.steps.sorted { $0.medianMicroseconds > $1.medianMicroseconds }
  for (number, step) in steps.enumerated() {
    guard let intensity = step.operationsPerByte, let rate = step.gigaflops else { continue }
    let place = point(intensity, rate)
    let speed =
      "\(fixed(rate, decimals: 1)) GFLOP/s, \(fixed(step.medianMicroseconds, decimals: 1)) µs"
    chart.dot(at: place, roofColor(step.shareOfRoof), hint: "\(step.name), \(step.kind): \(speed)")
    if number < 8 { label(step.name, at: place) }
  }
  return chart
}
