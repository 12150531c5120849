// Runs the network and decodes its outputs with nothing but arithmetic, 16 numbers to a face:
// `swift run DecodeByHand photo.png`. Prints all candidates, and how the best one is computed.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import Foundation
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceInference
import YOLOFaceNCNN

let image = try Picture.read(
  path: CommandLine.arguments.dropFirst().first ?? "Examples/astronaut.png")
let letterbox = try Letterbox(
  imageWidth: image.width, imageHeight: image.height, mode: .longSide(640))
let input = try image.letterboxed(letterbox)

// Bytes of RGB, RGB, … become planes of red, green and blue in 0 … 1.
let planes = (0..<3).flatMap { channel in
  stride(from: channel, to: input.pixels.count, by: 3).map { Float(input.pixels[$0]) / 255 }
}
let tensor = try Tensor(shape: [3, input.height, input.width], values: planes)
let network = try Network.embedded()
let outputs = try Engine(network).run(
  ["data": tensor], extracting: ["out_8", "out_16", "out_32"])

func sigmoid(_ t: Double) -> Double { 1 / (1 + exp(-t)) }

/// What one anchor of one cell proposes, in pixels of the network's input.
struct Candidate {
  let t: [Double]
  let stride: Double
  let anchor: (width: Double, height: Double)
  let cell: (column: Double, row: Double)

  var score: Double { sigmoid(t[4]) * sigmoid(t[15]) }
  var centerX: Double { (2 * sigmoid(t[0]) - 0.5 + cell.column) * stride }
  var centerY: Double { (2 * sigmoid(t[1]) - 0.5 + cell.row) * stride }
  var width: Double { pow(2 * sigmoid(t[2]), 2) * anchor.width }
  var height: Double { pow(2 * sigmoid(t[3]), 2) * anchor.height }
  var noseX: Double { t[9] * anchor.width + cell.column * stride }
  var noseY: Double { t[10] * anchor.height + cell.row * stride }

  var box: Box {
    Box(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }
}

let heads: [(blob: String, stride: Int, anchors: [(width: Double, height: Double)])] = [
  ("out_8", 8, [(4, 5), (8, 10), (13, 16)]),
  ("out_16", 16, [(23, 29), (43, 55), (73, 105)]),
  ("out_32", 32, [(146, 217), (231, 300), (335, 433)]),
]
var candidates: [Candidate] = []
for head in heads {
  guard let output = outputs[head.blob] else { continue }
  let (columns, rows) = (input.width / head.stride, input.height / head.stride)
  for (number, anchor) in head.anchors.enumerated() {
    for row in 0..<rows {
      for column in 0..<columns {
        let first = ((number * rows + row) * columns + column) * 16
        let candidate = Candidate(
          t: output.values[first..<first + 16].map(Double.init), stride: Double(head.stride),
          anchor: anchor, cell: (Double(column), Double(row)))
        if candidate.score >= 0.5 { candidates.append(candidate) }
      }
    }
  }
}
candidates.sort { $0.score > $1.score }

func show(_ format: String, _ numbers: Double...) {
  print(String(format: format, arguments: numbers))
}

print("stride  anchor     column,row  score   IoU with the best")
for c in candidates {
  show(
    "%4.0f    %3.0f × %3.0f  %5.0f,%2.0f    %.4f  %.3f", c.stride, c.anchor.width, c.anchor.height,
    c.cell.column, c.cell.row, c.score, c.box.intersectionOverUnion(with: candidates[0].box))
}
if let c = candidates.first {
  let (t, s, scale) = (c.t, c.t.map(sigmoid), letterbox.scale)
  show(
    "\nstride %.0f, anchor %.0f × %.0f, column %.0f, row %.0f", c.stride, c.anchor.width,
    c.anchor.height, c.cell.column, c.cell.row)
  show("t0 %.5f  t1 %.5f  t2 %.5f  t3 %.5f  t4 %.5f", t[0], t[1], t[2], t[3], t[4])
  show("t9 %.5f  t10 %.5f  t15 %.5f", t[9], t[10], t[15])
  show("score   σ(t4) · σ(t15) = %.6f · %.6f = %.4f", s[4], s[15], c.score)
  show("middle  (2 · %.6f - 0.5 + %.0f) · %.0f = %.2f", s[0], c.cell.column, c.stride, c.centerX)
  show("        (2 · %.6f - 0.5 + %.0f) · %.0f = %.2f", s[1], c.cell.row, c.stride, c.centerY)
  show("width   (2 · %.6f)² · %.0f = %.2f", s[2], c.anchor.width, c.width)
  show("height  (2 · %.6f)² · %.0f = %.2f", s[3], c.anchor.height, c.height)
  show("left    %.2f - %.2f / 2 = %.2f", c.centerX, c.width, c.box.x)
  show("top     %.2f - %.2f / 2 = %.2f", c.centerY, c.height, c.box.y)
  show(
    "nose    %.5f · %.0f + %.0f · %.0f = %.2f", t[9], c.anchor.width, c.cell.column, c.stride,
    c.noseX)
  show(
    "        %.5f · %.0f + %.0f · %.0f = %.2f", t[10], c.anchor.height, c.cell.row, c.stride,
    c.noseY)
  show(
    "in the picture, divided by %.2f: %.2f,%.2f %.2f × %.2f", scale,
    (c.box.x - Double(letterbox.padLeft)) / scale, (c.box.y - Double(letterbox.padTop)) / scale,
    c.width / scale, c.height / scale)
}
