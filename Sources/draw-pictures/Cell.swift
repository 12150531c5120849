import FaceDecoding
import Inference
import NCNN
import YOLOFace

/// Decoding: the coarsest grid over the network's input, the best cell in yellow, its anchor about
/// the cell's centre in blue, and the box found in green.
func drawCell() throws -> RGBImage {
  let photo = try PNG.read(path: "Examples/astronaut.png")
  let letterbox = try Letterbox(
    imageWidth: photo.width, imageHeight: photo.height, mode: .longSide(640))
  let input = try photo.letterboxed(letterbox)
  guard let best = try bestProposal(in: input) else { throw NothingFound() }

  let stride = Double(YOLO5FaceHead.yoloFace[2].stride)
  var picture = input
  for place in Swift.stride(from: 0, to: Double(input.width), by: stride) {
    for (x, y) in [(place, 0), (0, place)] {
      let line = Rectangle(
        x: x, y: y, width: x > 0 ? 1 : Double(input.width),
        height: y > 0 ? 1 : Double(input.height))
      picture.fillRectangle(line, color: .white, opacity: x + y > 0 ? 0.7 : 0)
    }
  }
  func frame(_ box: Rectangle, _ color: Color, width: Double) {
    picture.strokeRectangle(box, lineWidth: width, color: color)
  }
  let cell = Rectangle(
    x: Double(best.column) * stride, y: Double(best.row) * stride, width: stride, height: stride)
  frame(
    Rectangle(center: cell.center, size: best.anchor), Color(red: 60, green: 100, blue: 240),
    width: 3)
  let green = Color(red: 60, green: 220, blue: 90)
  frame(best.box, green, width: 5)
  frame(cell, Color(red: 255, green: 180, blue: 0), width: 5)
  picture.fillDisc(center: best.box.center, radius: 6, color: green)
  let left = Int(min(max(cell.center.x - 212, 0), Double(input.width - 440)))
  return try picture.cropped(x: left, y: 0, width: 440, height: 400)
}

/// What one anchor of one cell proposes.
private struct Proposal {
  var column: Int
  var row: Int
  var anchor: Size
  var score: Float
  var box: Rectangle
}

/// The best proposal of the coarsest head.
private func bestProposal(in input: RGBImage) throws -> Proposal? {
  let network = try Network(
    param: "Models/yoloface-n-0.5.param", bin: "Models/yoloface-n-0.5.bin")
  let planes = (0..<3).flatMap { channel in
    stride(from: channel, to: input.pixels.count, by: 3).map { Float(input.pixels[$0]) / 255 }
  }
  let tensor = try Tensor(shape: [3, input.height, input.width], values: planes)
  let output = try Engine(network).run(["data": tensor], extracting: ["out_32"])["out_32"]
  let head = YOLO5FaceHead.yoloFace[2]
  let (columns, rows) = (input.width / head.stride, input.height / head.stride)
  var best: Proposal?
  for (number, values) in (output?.values ?? []).chunks(of: YOLO5FaceHead.valuesPerAnchor) {
    let (anchor, cell) = number.quotientAndRemainder(dividingBy: columns * rows)
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    guard
      let face = head.decode(
        SIMD16(values), anchor: anchor, column: column, row: row, threshold: ScoreThreshold(0.1)),
      face.score > best?.score ?? 0
    else { continue }
    best = Proposal(
      column: column, row: row, anchor: head.anchors[anchor], score: face.score, box: face.box)
  }
  return best
}

extension Array {
  fileprivate func chunks(of count: Int) -> [(number: Int, values: ArraySlice<Element>)] {
    stride(from: 0, to: self.count, by: count).map { ($0 / count, self[$0..<$0 + count]) }
  }
}
