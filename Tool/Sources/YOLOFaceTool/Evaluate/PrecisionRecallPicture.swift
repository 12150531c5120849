// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceEvaluation
import YOLOFaceFormatting

/// A chart of precision over recall: the interpolated curve of all faces and those of the size classes in colours, each
/// with a dot where the score is 0.5, and beside them their average precisions.
func precisionRecallPicture(_ accuracy: DetectorAccuracy) -> SVG {
  var chart = SVG(
    width: 940, height: 570,
    title: "Precision over recall at an IoU of 0.5: \(counted(accuracy.curve.faceCount, "face")), "
      + counted(accuracy.detections, "detection"))
  let area = Box(x: 60, y: 74, width: 600, height: 440)
  func point(_ recall: Double, _ precision: Double) -> Point2D {
    Point2D(x: area.minX + area.width * recall, y: area.maxY - area.height * precision)
  }
  let tenths = (0...5).map { (number: Double($0) / 5, label: fixed(Double($0) / 5, decimals: 1)) }
  chart.axes(
    area, columns: tenths.map { (point($0.number, 0).x, $0.label) },
    rows: tenths.map { (point(0, $0.number).y, $0.label) },
    across: "recall: the share of the faces that are found",
    up: "precision: the share of the detections that are faces")

  chart.write("average precision", x: area.maxX + 54, y: area.minY + 12)
  let colors = ["currentColor", "#d73228", "#e68c14", "#28a046", "#3c78e6"]
  let curves = [(SizeRange.all, accuracy.curve)] + accuracy.sizes
  for (number, (color, (range, curve))) in zip(colors, curves).enumerated().reversed() {
    let precision = curve.averagePrecision.map { fixed($0, decimals: 4) } ?? "–"
    let y = area.minY + 40 + 24 * Double(number)
    chart.line(
      [Point2D(x: area.maxX + 20, y: y - 5), Point2D(x: area.maxX + 44, y: y - 5)], color, width: 4)
    chart.write(
      "\(precision): \(range.name), \(counted(curve.faceCount, "face"))", x: area.maxX + 54, y: y)
    guard curve.faceCount > 0 else { continue }
    let steps = stride(from: 0, through: 1, by: 1 / area.width)
    chart.line(steps.map { point($0, curve.interpolatedPrecision(atRecall: $0)) }, color, width: 2)
    guard let last = curve.scores.lastIndex(where: { $0 >= 0.5 }) else { continue }
    let (recall, share) = (curve.recalls[last], curve.precisions[last])
    let shares = "recall \(fixed(recall, decimals: 3)), precision \(fixed(share, decimals: 3))"
    chart.dot(at: point(recall, share), color, hint: "scores from 0.5, \(range.name): \(shares)")
  }
  chart.write("● scores from 0.5", x: area.maxX + 54, y: area.minY + 172)
  return chart
}
