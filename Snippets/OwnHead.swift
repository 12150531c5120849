// A detector of a family of one's own: a head and a recipe, as in the article "Writing a head": `swift run OwnHead`.

// snippet.hide
// SPDX-License-Identifier: Apache-2.0
// snippet.show

import Foundation
import YOLOFace
import YOLOFaceDecoding
import YOLOFaceInference

/// Reads scores, 1 × rows × columns, and the distances from a cell's middle to the box's left, top, right and
/// bottom, in strides, 4 × rows × columns.
func distanceHead(scores: String, distances: String, stride: Int) -> FaceHead {
  let cell = Double(stride)
  return FaceHead(
    blobs: [scores, distances], stride: stride, anchors: [Size2D(width: cell, height: cell)],
    scoring: "the score itself",
    shapes: { [[1, $0.rows, $0.columns], [4, $0.rows, $0.columns]] }
  ) { values, grid, threshold, body in
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        let index = row * grid.columns + column
        let score = values[0][index]
        guard score.isFinite, score >= threshold.score else { continue }
        let sides = (0..<4).map { Double(values[1][$0 * grid.count + index]) * cell }
        guard sides.allSatisfy(\.isFinite) else { continue }
        let (x, y) = ((Double(column) + 0.5) * cell, (Double(row) + 0.5) * cell)
        let box = Box(
          corner: Point2D(x: x - sides[0], y: y - sides[1]),
          opposite: Point2D(x: x + sides[2], y: y + sides[3]))
        body(Candidate(face: Face(score: score, box: box), anchor: 0, row: row, column: column))
      }
    }
  }
}

// A network small enough to read: its score is σ of how much bluer than red a cell is on average, and each box
// reaches one cell from the middle in all directions.
let param = """
  7767517
  5 6
  Input data 0 1 image
  Pooling pool 1 1 image pooled 0=1 1=32 2=32
  Split split 1 2 pooled pooled_a pooled_b
  Convolution score 1 1 pooled_a score 0=1 1=1 5=1 6=3 9=4
  Convolution distances 1 1 pooled_b distances 0=4 1=1 5=1 6=12
  """
let weights: [Float] = [0, -1, 0, 1, 0] + [0] + Array(repeating: 0, count: 12) + [1, 1, 1, 1]
let files = ["blue.param", "blue.bin"].map {
  FileManager.default.temporaryDirectory.appending(path: $0)
}
try Data(param.utf8).write(to: files[0])
try weights.withUnsafeBytes { Data($0) }.write(to: files[1])

let recipe = ModelRecipe(
  input: "image", normalization: Normalization(divisor: 16),
  letterbox: Letterbox.Style(fill: 0, granularity: 32),
  heads: [distanceHead(scores: "score", distances: "distances", stride: 32)])
let detector = try FaceDetector(param: files[0].path, bin: files[1].path, recipe: recipe)

var picture = RGBImage(width: 128, height: 64, fill: RGBColor(red: 110, green: 110, blue: 110))
for y in 0..<32 {
  for x in 32..<64 { picture[x, y] = RGBColor(red: 100, green: 0, blue: 148) }
}
var options = DetectionOptions()
options.letterbox = .longSide(128)
options.scoreThreshold = 0.6
for face in try detector.detect(in: picture, options: options) {
  print(String(format: "%.4f", face.score), face.box)
}
