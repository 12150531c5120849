import LibC
import NCNN

extension PriorBox: SingleOutputKind {
  /// Two rows, of the boxes' edges and of their variances, or the edges alone: four numbers for each box of each
  /// pixel.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (width, height) = size(of: inputs[0])
    let isRelative = isRelative(inputs.count)
    guard isRelative || inputs.count == 2 || imageWidth != nil && imageHeight != nil else {
      throw InferenceError(.shape, found: "one input", expected: "the picture as a second one")
    }
    let boxes = boxes(isRelative: isRelative)
    let count = elementCount([width, height, 4 * boxes])
    guard let count, boxes > 0 else {
      throw InferenceError(
        .shape, found: "\(boxes) boxes for each of \(width) × \(height) pixels",
        expected: "a number that fits")
    }
    return isRelative ? [count] : [2, count]
  }

  /// Whether sizes are relative to the picture, as in MXNet.
  private func isRelative(_ inputs: Int) -> Bool {
    inputs == 1 && imageWidth == nil && imageHeight == nil && largeSizes.isEmpty
  }

  /// The boxes of a pixel.
  private func boxes(isRelative: Bool) -> Int {
    isRelative
      ? smallSizes.count + max(0, aspectRatios.count - 1)
      : smallSizes.count * (1 + (flips ? 2 : 1) * aspectRatios.count) + largeSizes.count
  }

  private func size(of shape: [Int]) -> (width: Int, height: Int) {
    (shape[shape.count - 1], shape.count > 1 ? shape[shape.count - 2] : 1)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (width, height) = size(of: inputs[0].shape)
    let isRelative = isRelative(inputs.count)
    let picture = isRelative ? (width: 1, height: 1) : size(of: (inputs.last ?? inputs[0]).shape)
    let imageWidth = Float(imageWidth ?? picture.width)
    let imageHeight = Float(imageHeight ?? picture.height)
    func step(_ given: Float?, _ size: Float, _ count: Int) -> Float {
      if roundsStepsUp && !isRelative { return (size / Float(count)).rounded(.up) }
      return given ?? size / Float(count)
    }
    let (across, down) = (step(stepWidth, imageWidth, width), step(stepHeight, imageHeight, height))
    let less: Float = takesOneFromSteps && !isRelative ? 1 : 0
    let sizes = isRelative ? relativeSizes(Float(height) / Float(width)) : absoluteSizes
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    for y in 0..<height {
      let centreY = offset * (down - less) + Float(y) * down
      for x in 0..<width {
        let centreX = offset * (across - less) + Float(x) * across
        for (boxWidth, boxHeight) in sizes {
          values.append((centreX - boxWidth / 2) / imageWidth)
          values.append((centreY - boxHeight / 2) / imageHeight)
          values.append((centreX + boxWidth / 2) / imageWidth)
          values.append((centreY + boxHeight / 2) / imageHeight)
        }
      }
    }
    if clips { for index in values.indices { values[index] = min(max(values[index], 0), 1) } }
    if !isRelative { for index in values.indices { values.append(variances[index % 4]) } }
    return Tensor(shape, values)
  }

  private var absoluteSizes: [(Float, Float)] {
    smallSizes.enumerated().flatMap { index, size in
      let middle = largeSizes.isEmpty ? [] : [(size * largeSizes[index]).squareRoot()]
      return ([size] + middle).map { ($0, $0) }
        + aspectRatios.flatMap { ratio in
          let box = (size * ratio.squareRoot(), size / ratio.squareRoot())
          return flips ? [box, (box.1, box.0)] : [box]
        }
    }
  }

  private func relativeSizes(_ aspect: Float) -> [(Float, Float)] {
    smallSizes.map { ($0 * aspect, $0) }
      + aspectRatios.dropFirst().map {
        (smallSizes[0] * aspect * $0.squareRoot(), smallSizes[0] / $0.squareRoot())
      }
  }

  /// Each pixel reads no number of its inputs.
  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .nothing }
}

/// A box with a class and a score.
private struct ScoredBox {
  var label: Int
  var score: Float
  var left: Float
  var top: Float
  var right: Float
  var bottom: Float

  init(label: Int, score: Float, x: Float, y: Float, width: Float, height: Float) {
    (self.label, self.score) = (label, score)
    (left, top) = (x - width / 2, y - height / 2)
    (right, bottom) = (x + width / 2, y + height / 2)
  }

  /// The common area divided by that of both.
  func overlap(_ other: ScoredBox) -> Float {
    let width = min(right, other.right) - max(left, other.left)
    let height = min(bottom, other.bottom) - max(top, other.top)
    let common = width < 0 || height < 0 ? 0 : width * height
    let areas =
      (right - left) * (bottom - top) + (other.right - other.left) * (other.bottom - other.top)
    return common / (areas - common)
  }
}

extension [ScoredBox] {
  /// By falling score; equal ones stay in their order.
  fileprivate func ranked() -> [ScoredBox] { sorted { $0.score > $1.score } }

  /// The boxes in their order, without those that overlap an earlier one by more than a limit.
  fileprivate func thinned(_ limit: Float) -> [ScoredBox] {
    var kept: [ScoredBox] = []
    for box in self where !kept.contains(where: { box.overlap($0) > limit }) { kept.append(box) }
    return kept
  }

  /// Rows of class, score and edges. Rows of zeros follow, whose class 0 is the background: a blob has a
  /// size before its numbers are known.
  fileprivate func rows(_ shape: [Int]) -> Tensor {
    var result = Tensor(shape)
    for (row, box) in prefix(shape[0]).enumerated() {
      let numbers = [Float(box.label), box.score, box.left, box.top, box.right, box.bottom]
      for (column, number) in numbers.enumerated() { result.values[6 * row + column] = number }
    }
    return result
  }
}

extension DetectionOutput: SingleOutputKind {
  /// `mostBoxes` × 6. Inputs are differences, scores and boxes.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (boxes, classes) = counts(inputs)
    let scores = Int64(inputs[1].reduce(1, *))
    guard inputs[2].count == 2, boxes > 0, inputs[0].reduce(1, *) / 4 >= boxes,
      self.classes == nil
        ? inputs[1] == [classes, boxes] && inputs[2][1] == 4
        : scores >= work(boxes, classes) && inputs[2][0] == 2 && inputs[2][1] % 4 == 0
    else {
      throw InferenceError(
        .shape, found: "shapes \(inputs)",
        expected: "four differences and \(classes) scores for each of \(boxes) boxes")
    }
    return [mostBoxes, 6]
  }

  private func counts(_ inputs: [[Int]]) -> (boxes: Int, classes: Int) {
    guard let classes else { return (inputs[2][0], inputs[1][0]) }
    return ((inputs[2].last ?? 0) / 4, classes)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (boxes, classes) = counts(inputs.map { $0.shape })
    let (differences, scores, priors) = (inputs[0].values, inputs[1].values, inputs[2].values)
    func score(_ box: Int, _ label: Int) -> Float {
      self.classes == nil ? scores[label * boxes + box] : scores[box * classes + label]
    }
    func decoded(_ box: Int, _ label: Int) -> ScoredBox {
      let edges = priors[4 * box..<4 * box + 4].map { $0 }
      // Boxes that are surely background are not decoded upstream.
      guard score(box, 0) < 1 - threshold else {
        return ScoredBox(label: label, score: score(box, label), x: 0, y: 0, width: 0, height: 0)
      }
      let factors =
        self.classes == nil
        ? variances : priors[4 * (boxes + box)..<4 * (boxes + box) + 4].map { $0 }
      let moves = (0..<4).map { factors[$0] * differences[4 * box + $0] }
      let (width, height) = (edges[2] - edges[0], edges[3] - edges[1])
      return ScoredBox(
        label: label, score: score(box, label), x: moves[0] * width + (edges[0] + edges[2]) / 2,
        y: moves[1] * height + (edges[1] + edges[3]) / 2, width: exp(moves[2]) * width,
        height: exp(moves[3]) * height)
    }
    var found: [ScoredBox] = []
    for label in 1..<max(1, classes) {
      let candidates = (0..<boxes).filter { score($0, label) > threshold }
        .map { decoded($0, label) }.ranked()
      found += Array(candidates.prefix(mostOfClass)).thinned(overlap)
    }
    return found.ranked().rows(shape)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let (boxes, classes) = counts(inputs)
    let kept = min(boxes, mostOfClass)
    return Cost(
      steps: work(boxes, classes, 2 * Int(Cost.exponential)) + work(classes, kept, kept),
      scratchElements: work(8, boxes) + work(8, classes, kept))
  }
}

extension YoloDetectionOutput: SingleOutputKind {
  /// A row of six for each box of each cell of each map.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let fits = inputs.allSatisfy { $0.count == 3 && $0[0] == boxes * (5 + classes) }
    guard fits, strides.isEmpty || inputs.count <= kinds.count / boxes else {
      throw InferenceError(
        .shape, found: "shapes \(inputs)",
        expected: "maps of \(boxes) × \(5 + classes) channels, no more than masks")
    }
    return [Int(clamping: count(inputs)), 6]
  }

  private func count(_ inputs: [[Int]]) -> Int64 {
    inputs.reduce(0) { $0 + min(1 << 40, work(boxes, $1[1], $1[2])) }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    var found: [ScoredBox] = []
    for (number, map) in inputs.enumerated() {
      for box in 0..<boxes {
        let anchor = anchors[kinds[(strides.isEmpty ? 0 : number * boxes) + box]]
        found += self.found(in: map, box, anchor, stride: strides.isEmpty ? 1 : strides[number])
      }
    }
    return found.ranked().thinned(overlap).rows(shape)
  }

  private func found(in map: Tensor, _ box: Int, _ anchor: Anchor, stride: Float) -> [ScoredBox] {
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
      // What upstream computes for the third version; it is not the product of two logistic functions.
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
          width: exp(value(2)) * anchor.width / width,
          height: exp(value(3)) * anchor.height / height))
    }
    return found
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let count = count(inputs)
    let cells = min(count, 1 << 30) * Int64(classes + 6) * Cost.exponential
    return Cost(
      steps: cells + min(count, 1 << 29) * min(count, 1 << 29), scratchElements: 16 * count)
  }
}

private func sigmoid(_ x: Float) -> Float { 1 / (1 + exp(-x)) }
