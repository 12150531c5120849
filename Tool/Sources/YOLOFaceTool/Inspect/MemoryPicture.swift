import Formatting
import Inference
import YOLOFace

/// A picture of a memory plan, 1200 × 760 pixels: steps run to the right, addresses up. Each block is a rectangle in the
/// colour of the kind of step that writes it. The black line shows the live bytes.
func memoryPicture(_ plan: MemoryPlan) -> RGBImage {
  var picture = MemoryPicture(plan)
  picture.drawGrid()
  for block in plan.blocks { picture.draw(block) }
  picture.drawLiveBytes()
  picture.drawLegend()
  return picture.chart.image
}

private struct MemoryPicture {
  private(set) var chart = Chart(
    width: 1200, height: 760, area: Rectangle(x: 110, y: 44, width: 1070, height: 590))
  private let plan: MemoryPlan
  private let kinds: [String]

  init(_ plan: MemoryPlan) {
    self.plan = plan
    var seen: Set<String> = []
    kinds = plan.blocks.map(\.kind).filter { seen.insert($0).inserted }
  }

  private func x(_ step: Int) -> Double {
    chart.area.minX + chart.area.width * Double(step) / Double(max(1, plan.steps.count))
  }

  private func y(_ address: Int) -> Double {
    chart.area.minY + chart.area.height * (1 - Double(address) / Double(max(1, plan.arenaBytes)))
  }

  private func color(_ kind: String) -> Color {
    Color.kinds[(kinds.firstIndex(of: kind) ?? 0) % Color.kinds.count]
  }

  mutating func drawGrid() {
    for step in ticks(upTo: plan.steps.count, count: 12, base: 10) {
      chart.drawColumn(at: x(step), label: "\(step)", below: 10)
    }
    for address in ticks(upTo: plan.arenaBytes, count: 8, base: 2) {
      chart.drawRow(at: y(address), label: binarySize(address))
    }
    chart.drawFrame()
    let area = chart.area
    chart.image.write("step", x: area.center.x - 24, y: area.maxY + 32)
    chart.image.write("address", x: 8, y: area.minY - 30)
    chart.image.write(
      """
      arena \(binarySize(plan.arenaBytes)), unshared \(binarySize(plan.unsharedBytes)); \
      black: live bytes, at most \(binarySize(plan.peakBytes))
      """, x: area.minX, y: area.minY - 30)
  }

  mutating func draw(_ block: MemoryPlan.Block) {
    let color = color(block.kind)
    let (x, y) = (x(block.firstStep), y(block.offset + block.bytes))
    let (width, height) = (self.x(block.lastStep + 1) - x, self.y(block.offset) - y)
    chart.image.fillRectangle(Rectangle(x: x, y: y, width: width, height: height), color: color)
    if width > 3 && height > 3 {
      chart.image.strokeRectangle(
        Rectangle(x: x + 0.5, y: y + 0.5, width: width - 1, height: height - 1), lineWidth: 1,
        color: color.darker)
    }
    let name = RGBImage.textSize(block.writtenBy)
    if Double(name.width) + 4 <= width && Double(name.height) + 4 <= height {
      chart.image.drawText(
        block.writtenBy, at: Point(x: x + 3, y: y + (height - Double(name.height)) / 2),
        color: .black)
    }
  }

  mutating func drawLiveBytes() {
    for (number, step) in plan.steps.enumerated() {
      let height = y(step.liveBytes)
      chart.line(x(number), height, x(number + 1), height, .black, width: 2)
      guard number > 0 else { continue }
      chart.line(
        x(number), y(plan.steps[number - 1].liveBytes), x(number), height, .black, width: 2)
    }
  }

  mutating func drawLegend() {
    for (number, kind) in kinds.enumerated() {
      let (row, column) = number.quotientAndRemainder(dividingBy: 4)
      let x = chart.area.minX + Double(column) * chart.area.width / 4
      let y = chart.area.maxY + 60 + 22 * Double(row)
      chart.image.fillRectangle(Rectangle(x: x, y: y, width: 14, height: 14), color: color(kind))
      chart.image.write(kind, x: x + 22, y: y)
    }
  }
}

/// Round numbers from 0 to an end, with at most `count` intervals. In base 10 they are 1, 2 or 5
/// times a power of ten apart, in base 2 a power of two.
private func ticks(upTo end: Int, count: Int, base: Int) -> StrideThrough<Int> {
  let factors = base == 10 ? [1, 2, 5] : [1]
  var unit = 1
  while true {
    for factor in factors where end / (unit * factor) <= count {
      return stride(from: 0, through: end, by: unit * factor)
    }
    unit *= base
  }
}

extension Color {
  /// Light colours, on which black text is legible.
  fileprivate static let kinds = [
    Color(red: 141, green: 190, blue: 232), Color(red: 250, green: 190, blue: 120),
    Color(red: 160, green: 215, blue: 150), Color(red: 240, green: 150, blue: 145),
    Color(red: 200, green: 175, blue: 225), Color(red: 215, green: 190, blue: 165),
    Color(red: 245, green: 180, blue: 215), Color(red: 200, green: 200, blue: 200),
    Color(red: 220, green: 220, blue: 130), Color(red: 140, green: 220, blue: 220),
    Color(red: 175, green: 195, blue: 120), Color(red: 190, green: 165, blue: 250),
  ]

  fileprivate var darker: Color {
    Color(red: red / 4 * 3, green: green / 4 * 3, blue: blue / 4 * 3)
  }
}
