//! Runs the network and decodes its outputs with nothing but arithmetic: 16 numbers become a face.
//!
//!     swift run DecodeByHand photo.png

import FaceDecoding
import Foundation
import Inference
import NCNN
import YOLOFace

let image = try PNG.read(path: CommandLine.arguments.dropFirst().first ?? "Examples/astronaut.png")
let letterbox = try Letterbox(
  imageWidth: image.width, imageHeight: image.height, mode: .longSide(640))
let input = try image.letterboxed(letterbox)

// Bytes of RGB, RGB, … become planes of red, green and blue in 0 … 1.
let planes = (0..<3).flatMap { channel in
  stride(from: channel, to: input.pixels.count, by: 3).map { Float(input.pixels[$0]) / 255 }
}
let tensor = try Tensor(shape: [3, input.height, input.width], values: planes)
let network = try Network(
  param: "Models/yoloface-n-0.5.param", bin: "Models/yoloface-n-0.5.bin")
let outputs = try Engine(network).run(
  ["data": tensor], extracting: ["out_8", "out_16", "out_32"])

func sigmoid(_ t: Float) -> Double { 1 / (1 + exp(-Double(t))) }

let heads: [(blob: String, stride: Int, anchors: [(width: Double, height: Double)])] = [
  ("out_8", 8, [(4, 5), (8, 10), (13, 16)]),
  ("out_16", 16, [(23, 29), (43, 55), (73, 105)]),
  ("out_32", 32, [(146, 217), (231, 300), (335, 433)]),
]
var candidates = 0
for head in heads {
  guard let output = outputs[head.blob] else { continue }
  let columns = input.width / head.stride
  let cells = columns * (input.height / head.stride)
  for (number, anchor) in head.anchors.enumerated() {
    for cell in 0..<cells {
      let t = output.values[(number * cells + cell) * 16..<(number * cells + cell + 1) * 16]
      let first = t.startIndex
      let score = sigmoid(t[first + 4]) * sigmoid(t[first + 15])
      guard score >= 0.5 else { continue }
      candidates += 1

      let (column, row) = (Double(cell % columns), Double(cell / columns))
      let stride = Double(head.stride)
      let centerX = (2 * sigmoid(t[first]) - 0.5 + column) * stride
      let centerY = (2 * sigmoid(t[first + 1]) - 0.5 + row) * stride
      let width = pow(2 * sigmoid(t[first + 2]), 2) * anchor.width
      let height = pow(2 * sigmoid(t[first + 3]), 2) * anchor.height
      let noseX = Double(t[first + 9]) * anchor.width + column * stride
      let noseY = Double(t[first + 10]) * anchor.height + row * stride

      // From pixels of the input to pixels of the picture.
      let x = (centerX - width / 2 - Double(letterbox.padLeft)) / letterbox.scale
      let y = (centerY - height / 2 - Double(letterbox.padTop)) / letterbox.scale
      let nose = letterbox.unmap(Point(x: noseX, y: noseY))
      print(
        String(
          format:
            "stride %d, anchor %d, column %.0f, row %.0f: score %.4f, box %.2f,%.2f %.2fx%.2f,"
            + " nose %.2f,%.2f", head.stride, number, column, row, score, x, y,
          width / letterbox.scale, height / letterbox.scale, nose.x, nose.y))
    }
  }
}
print("\(candidates) candidates; what remains is to keep the best of those that overlap")
