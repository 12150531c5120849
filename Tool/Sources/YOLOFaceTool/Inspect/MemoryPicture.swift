// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceFormatting
@_spi(Tool) import YOLOFaceInference

/// A picture of a memory plan: steps run to the right, addresses up. Each block is a rectangle in the colour of the kind
/// of step that writes it. The line shows the live bytes.
func memoryPicture(_ plan: MemoryPlan) -> SVG {
  var picture = SVG(
    width: 1200, height: 760,
    title: """
      Arena \(binarySize(plan.arenaBytes)), unshared \(binarySize(plan.unsharedBytes)); \
      line: live bytes, at most \(binarySize(plan.peakBytes))
      """)
  let area = Box(x: 90, y: 74, width: 1090, height: 560)
  func x(_ step: Int) -> Double {
    area.minX + area.width * Double(step) / Double(max(1, plan.steps.count))
  }
  func y(_ address: Int) -> Double {
    area.maxY - area.height * Double(address) / Double(max(1, plan.arenaBytes))
  }
  picture.axes(
    area,
    columns: ticks(upTo: Double(plan.steps.count), count: 12).map(Int.init).map {
      (x($0), "\($0)")
    },
    rows: ticks(upTo: Double(plan.arenaBytes), count: 8, base: 2).map { Int($0) }
      .map { (y($0), binarySize($0)) },
    across: "step", up: "address")

  var seen: Set<String> = []
  let kinds = plan.blocks.map(\.kind).filter { seen.insert($0).inserted }
  let colors = Dictionary(
    uniqueKeysWithValues: kinds.enumerated().map {
      ($1, colorsOfKinds[$0 % colorsOfKinds.count])
    })
  for block in plan.blocks {
    let (left, top) = (x(block.firstStep), y(block.offset + block.bytes))
    let (width, height) = (x(block.lastStep + 1) - left, y(block.offset) - top)
    let place = Box(
      x: left, y: top, width: width - (width > 3 ? 1 : 0), height: height - (height > 3 ? 1 : 0))
    picture.fill(
      place, colors[block.kind] ?? "",
      hint: "\(block.writtenBy), \(block.kind): \(binarySize(block.bytes)), "
        + "steps \(block.firstStep) to \(block.lastStep)")
    if SVG.width(of: block.writtenBy, isSmall: true) + 6 <= place.width, place.height >= 13 {
      picture.write(
        block.writtenBy, x: left + 3, y: place.center.y + 4, color: "#111", style: "small")
    }
  }
  let live = plan.steps.enumerated().flatMap { number, step in
    [number, number + 1].map { Point2D(x: x($0), y: y(step.liveBytes)) }
  }
  picture.line(live, "var(--ground)", width: 5)
  picture.line(live, width: 2)

  for (number, kind) in kinds.enumerated() {
    let (row, column) = number.quotientAndRemainder(dividingBy: 4)
    let place = Point2D(
      x: area.minX + Double(column) * area.width / 4, y: area.maxY + 60 + 22 * Double(row))
    picture.fill(Box(x: place.x, y: place.y, width: 14, height: 14), colors[kind] ?? "")
    picture.write(kind, x: place.x + 22, y: place.y + 12)
  }
  return picture
}

/// Colours on which black text is legible.
private let colorsOfKinds = [
  "#8dbee8", "#fabe78", "#a0d796", "#f09691", "#c8afe1", "#d7bea5", "#f5b4d7", "#c8c8c8", "#dcdc82",
  "#8cdcdc", "#afc378", "#bea5fa",
]
