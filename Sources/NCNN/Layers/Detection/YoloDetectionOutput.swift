// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// YOLO's maps (Redmon and Farhadi, 2017) decoded, sorted by their scores and thinned out: a row of
/// class, score and edges for each box of each cell; also Yolov3DetectionOutput (2018).
///
/// A map is boxes · (5 + classes) × H × W: x, y, width, height, objectness and classes of each box.
package struct YoloDetectionOutput: SingleOutputKind, Hashable {
  package let classes: Int
  /// The boxes of each cell of a map.
  package let boxes: Int
  /// The score that a box must reach.
  let threshold: Float
  /// Of two boxes that overlap by more, the one with the lower score is left out.
  let overlap: Float
  /// Width and height of each kind of box: in cells or, with `strides`, in pixels.
  package let anchors: [Float]
  /// For each map and box, its kind.
  package let kinds: [Int]
  /// For each map, the pixels of a cell; empty for the second version, whose scores are a softmax.
  package let strides: [Float]

  init(_ reader: ParameterReader, version: Int) throws(ModelError) {
    classes = try reader.integer(0, "num_class", default: 20, in: 1...(1 << 16))
    boxes = try reader.integer(1, "num_box", default: 5, in: 1...(1 << 10))
    threshold = try reader.real(2, "confidence_threshold", default: 0.01)
    overlap = try reader.real(3, "nms_threshold", default: 0.45)
    anchors = try reader.reals(4, "biases")
    strides = version == 3 ? try reader.reals(6, "anchors_scale") : []
    let given = version == 3 ? try reader.reals(5, "mask") : (0..<boxes).map { Float($0) }
    let count = anchors.count / 2
    kinds = given.compactMap { index($0, below: count) }
    guard kinds.count == given.count, kinds.count % boxes == 0, !kinds.isEmpty,
      version != 3 || strides.count >= kinds.count / boxes
    else {
      throw reader.refusal(
        "\(count) biases, \(given.count) masks and \(strides.count) scales",
        expected: "a mask for each of \(boxes) boxes of each map, which names a bias, and its scale"
      )
    }
  }

  package var traits: LayerTraits { LayerTraits(inputs: 1...Int.max, fourAxes: nil) }

  package func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let fits = inputs.allSatisfy { $0.count == 3 && $0[0] == boxes * (5 + classes) }
    guard fits, strides.isEmpty || inputs.count <= kinds.count / boxes else {
      throw .shape(
        "shapes \(inputs)",
        expected: "maps of \(boxes) × \(5 + classes) channels, no more than masks")
    }
    return [Int(clamping: count(inputs)), 6]
  }

  private func count(_ inputs: [[Int]]) -> Int64 {
    inputs.reduce(0) { $0 + min(1 << 40, product([boxes, $1[1], $1[2]])) }
  }

  package func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    var found: [ScoredBox] = []
    for (number, map) in inputs.enumerated() {
      for box in 0..<boxes {
        let kind = kinds[strides.isEmpty ? box : number * boxes + box]
        found += self.found(in: map, box, kind: kind, stride: strides.isEmpty ? 1 : strides[number])
      }
    }
    return found.ranked().thinned(overlap).rows(shape)
  }

  private func found(in map: Tensor, _ box: Int, kind: Int, stride: Float) -> [ScoredBox] {
    let size = map.rows * map.columns
    // Upstream truncates the picture's size to whole pixels.
    let width = (stride * Float(map.columns)).rounded(.towardZero)
    let height = (stride * Float(map.rows)).rounded(.towardZero)
    var found: [ScoredBox] = []
    for cell in 0..<size {
      func value(_ channel: Int) -> Float {
        map.values[(box * (5 + classes) + channel) * size + cell]
      }
      let best = (0..<classes).reduce(0) { value(5 + $1) > value(5 + $0) ? $1 : $0 }
      // What upstream computes for the third version; it is not the product of two logistic
      // functions.
      let score =
        strides.isEmpty
        ? sigmoid(value(4)) / (0..<classes).reduce(0) { $0 + exp(value(5 + $1) - value(5 + best)) }
        : 1 / (1 + exp(-value(4)) * (1 + exp(-value(5 + best))))
      guard score >= threshold else { continue }
      found.append(
        ScoredBox(
          label: best + 1, score: score,
          x: (Float(cell % map.columns) + sigmoid(value(0))) / Float(map.columns),
          y: (Float(cell / map.columns) + sigmoid(value(1))) / Float(map.rows),
          width: exp(value(2)) * anchors[2 * kind] / width,
          height: exp(value(3)) * anchors[2 * kind + 1] / height))
    }
    return found
  }

  package func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let count = count(inputs)
    let cells = min(count, 1 << 30) * Int64(classes + 6) * Cost.exponential
    return Cost(
      steps: cells + min(count, 1 << 29) * min(count, 1 << 29), scratchElements: 16 * count)
  }
}

/// A whole number; darknet2ncnn writes floats as integers of the same bits: 1077936128 is 3.0.
private func index(_ number: Float, below count: Int) -> Int? {
  let bits = UInt32(exactly: number).map { Float(bitPattern: $0) }
  return [number, bits].lazy.compactMap { $0.flatMap { Int(exactly: $0) } }.first {
    (0..<count).contains($0)
  }
}

private func sigmoid(_ x: Float) -> Float { 1 / (1 + exp(-x)) }
