// The exercises of the article "From zero", with their answers: `swift run FromZero`.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import Foundation
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceInference
import YOLOFaceNCNN

/// Each window's numbers times the kernel's, added up; the window moves by `stride` pixels.
func convolution(_ map: [[Float]], _ kernel: [[Float]], stride: Int = 1) -> [[Float]] {
  (0...(map.count - kernel.count) / stride).map { row in
    (0...(map[0].count - kernel[0].count) / stride).map { column in
      var sum: Float = 0
      for (y, weights) in kernel.enumerated() {
        for (x, weight) in weights.enumerated() {
          sum += weight * map[row * stride + y][column * stride + x]
        }
      }
      return sum
    }
  }
}

print("1. A convolution by hand")
let picture: [[Float]] = Array(repeating: [0, 0, 0, 1, 1, 1], count: 5)
let edges: [[Float]] = [[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]]
print(convolution(picture, edges))
print("with a stride of 2:", convolution(picture, edges, stride: 2))
print("brighter everywhere:", convolution(picture.map { $0.map { $0 + 5 } }, edges))

print("\n2. A network is a list of them")
let param = """
  7767517
  4 4
  Input picture 0 1 picture
  Convolution edges 1 1 picture edges 0=1 1=3 5=1 6=9
  ReLU activation 1 1 edges bright
  Convolution mean 1 1 bright mean 0=1 1=3 6=9
  """
// A tag before each array of weights says that they are floats; a bias has none.
let weights: [Float] = [0] + edges.flatMap { $0 } + [0] + [0] + Array(repeating: 1 / 9, count: 9)
var network = try Network(param: Array(param.utf8), source: "two.param")
try network.loadWeights(weights.withUnsafeBytes { Array($0) }, source: "two.bin")
let tensor = try Tensor(shape: [1, 5, 6], values: picture.flatMap { $0 })
let outputs = try Engine(network).run(["picture": tensor], extracting: ["edges", "mean"])
print("edges", outputs["edges"]?.values ?? [])
print("mean", outputs["mean"]?.shape ?? [], outputs["mean"]?.values ?? [])
print("parameters:", network.layers.reduce(0) { $0 + $1.parameterCount })

print("\n3. Why 25,200 proposals")
for (width, height) in [(640, 640), (640, 384)] {
  let cells = [8, 16, 32].map { stride in (width / stride) * (height / stride) }
  print("\(width) × \(height): 3 · \(cells) = \(3 * cells.reduce(0, +))")
}
let (cells, columns) = (400, 20)
print("row 488: anchor \(488 / cells), row \(488 % cells / columns), column \(488 % columns)")

print("\n4. Decode one")
func sigmoid(_ t: Double) -> Double { 1 / (1 + exp(-t)) }
/// One coordinate of a box: its middle and its side.
func decode(t: Double, side: Double, cell: Double, stride: Double, anchor: Double) -> String {
  let middle = (2 * sigmoid(t) - 0.5 + cell) * stride
  return String(format: "middle %.1f, side %.1f", middle, pow(2 * sigmoid(side), 2) * anchor)
}
print("t = 0:", decode(t: 0, side: 0, cell: 8, stride: 32, anchor: 231))
print("t = −ln 3:", decode(t: -log(3), side: 0, cell: 8, stride: 32, anchor: 231))
print("t = 100:", decode(t: 100, side: 100, cell: 8, stride: 32, anchor: 231))
print("nose:", String(format: "%.1f", 0.1 * 231 + 8 * 32))
let letterbox = try Letterbox(imageWidth: 1280, imageHeight: 720, mode: .longSide(640))
print("in the picture:", letterbox.unmap(Point2D(x: 320, y: 192)))

print("\n5. Suppress")
let boxes: [(score: Float, x: Double)] = [(0.9, 0), (0.8, 2), (0.7, 5), (0.6, 30)]
let faces = boxes.map { score, x in
  Face(score: score, box: Box(x: x, y: 0, width: 10, height: 10))
}
for face in faces {
  print(
    face.score, "IoU", String(format: "%.3f", face.box.intersectionOverUnion(with: faces[0].box)))
}
for threshold in [0.45, 0.3] {
  print(threshold, "keeps", nonMaximumSuppression(of: faces, overlapThreshold: threshold).kept)
}

print("\n6. Which anchors learn a face of 20 × 24 pixels")
for head in YOLO5FaceHead.yoloFace {
  for anchor in head.anchors {
    let ratios = [20 / anchor.width, 24 / anchor.height]
    let factor = ratios.map { max($0, 1 / $0) }.max() ?? 1
    let verdict = factor < 4 ? "learns" : "does not"
    print(String(format: "%.0f × %.0f: %.2f, ", anchor.width, anchor.height, factor) + verdict)
  }
}
