// Runs the network and decodes its outputs with nothing but arithmetic, 16 numbers to a face:
// `swift run DecodeByHand photo.png`.

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

func sigmoid(_ t: Double) -> Double { 1 / (1 + exp(-t)) }

let heads: [(blob: String, stride: Int, anchors: [(width: Double, height: Double)])] = [
  ("out_8", 8, [(4, 5), (8, 10), (13, 16)]),
  ("out_16", 16, [(23, 29), (43, 55), (73, 105)]),
  ("out_32", 32, [(146, 217), (231, 300), (335, 433)]),
]
var candidates = 0
for head in heads {
  guard let output = outputs[head.blob] else { continue }
  let (columns, rows) = (input.width / head.stride, input.height / head.stride)
  for (number, anchor) in head.anchors.enumerated() {
    for row in 0..<rows {
      for column in 0..<columns {
        let first = ((number * rows + row) * columns + column) * 16
        let t = output.values[first..<first + 16].map(Double.init)
        let score = sigmoid(t[4]) * sigmoid(t[15])
        guard score >= 0.5 else { continue }
        candidates += 1

        // In pixels of the network's input.
        let (cellX, cellY) = (Double(column * head.stride), Double(row * head.stride))
        let centerX = (2 * sigmoid(t[0]) - 0.5) * Double(head.stride) + cellX
        let centerY = (2 * sigmoid(t[1]) - 0.5) * Double(head.stride) + cellY
        let width = pow(2 * sigmoid(t[2]), 2) * anchor.width
        let height = pow(2 * sigmoid(t[3]), 2) * anchor.height
        let (noseX, noseY) = (t[9] * anchor.width + cellX, t[10] * anchor.height + cellY)

        // In pixels of the picture.
        func x(_ x: Double) -> Double { (x - Double(letterbox.padLeft)) / letterbox.scale }
        func y(_ y: Double) -> Double { (y - Double(letterbox.padTop)) / letterbox.scale }
        let numbers = String(
          format: "score %.4f, box %.2f,%.2f %.2fx%.2f, nose %.2f,%.2f", score,
          x(centerX - width / 2), y(centerY - height / 2), width / letterbox.scale,
          height / letterbox.scale, x(noseX), y(noseY))
        print("\(head.blob), anchor \(number), column \(column), row \(row): \(numbers)")
      }
    }
  }
}
print("\(candidates) candidates; what remains is to keep the best of those that overlap")
