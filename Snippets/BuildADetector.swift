// A detector built from the modules, as in the tutorial "Building a detector".

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import Foundation
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceInference
import YOLOFaceNCNN

let network = try Network.embedded()
print(network.inputs, network.outputs, network.layers.count)

let image = try Picture.read(path: "Examples/astronaut.png")
let letterbox = try Letterbox(
  imageWidth: image.width, imageHeight: image.height, mode: .longSide(640))
let fill = letterbox.style.fill
let gray = RGBColor(red: fill, green: fill, blue: fill)
var input = RGBImage(width: letterbox.inputWidth, height: letterbox.inputHeight, fill: gray)
let content = try image.resized(width: letterbox.scaledWidth, height: letterbox.scaledHeight)
input.draw(content, atX: letterbox.padLeft, y: letterbox.padTop)
print(input.width, input.height, letterbox.scale)

let planes = (0..<3).flatMap { channel in
  stride(from: channel, to: input.pixels.count, by: 3).map { Float(input.pixels[$0]) / 255 }
}
let tensor = try Tensor(shape: [3, input.height, input.width], values: planes)
let blobs = ["out_8", "out_16", "out_32"]
let outputs = try Engine(network).run(["data": tensor], extracting: blobs)
for blob in blobs { print(blob, outputs[blob]?.shape ?? []) }

let threshold = ScoreThreshold(0.5)
var candidates: [Face] = []
for (blob, head) in zip(blobs, YOLO5FaceHead.yoloFace) {
  guard let output = outputs[blob] else { continue }
  try head.appendCandidates(
    from: output.values.span, columns: input.width / head.stride,
    rows: input.height / head.stride, threshold: threshold, to: &candidates)
}
print(candidates.count)

let suppression = nonMaximumSuppression(of: candidates, overlapThreshold: 0.45)
let faces = suppression.kept.map { letterbox.unmap(candidates[$0]) }
for face in faces {
  let box = face.box
  print(
    String(
      format: "score %.3f  box %.1f,%.1f %.1fx%.1f", face.score, box.x, box.y, box.width,
      box.height))
}
