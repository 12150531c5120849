// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// SSD's boxes (Liu et al., 2016) decoded from their differences to prior boxes, sorted by their
/// scores and thinned out: `mostBoxes` × 6, rows of class, score and edges.
///
/// Inputs are differences, scores and prior boxes, see `PriorBox`. Where `classes` is nil, scores
/// are classes × boxes and the boxes come without variances.
package struct DetectionOutput: SingleOutputKind, Hashable {
  /// The number of classes, the background among them.
  package let classes: Int?
  /// Of two boxes of a class that overlap by more, the one with the lower score is left out.
  let overlap: Float
  /// How many boxes of a class are looked at.
  let mostOfClass: Int
  package let mostBoxes: Int
  /// The score that a box must exceed.
  let threshold: Float
  /// What differences are multiplied by where the boxes come without.
  let variances: [Float]

  init(_ reader: ParameterReader) throws(ModelError) {
    let classes = try reader.integer(
      0, "num_class", default: 0, in: ParamFormat.placeholder...(1 << 16))
    guard classes == ParamFormat.placeholder || classes > 0 else {
      throw reader.refusal("num_class \(classes)", expected: "a number, or -233")
    }
    self.classes = classes > 0 ? classes : nil
    let counts = 1...(1 << 16)
    overlap = try reader.real(1, "nms_threshold", default: 0.05)
    mostOfClass = try reader.integer(2, "nms_top_k", default: 300, in: counts)
    mostBoxes = try reader.integer(3, "keep_top_k", default: 100, in: counts)
    threshold = try reader.real(4, "confidence_threshold", default: 0.5)
    variances = [
      try reader.real(5, "variance", default: 0.1), try reader.real(6, "variance", default: 0.1),
      try reader.real(7, "variance", default: 0.2), try reader.real(8, "variance", default: 0.2),
    ]
  }

  package var traits: LayerTraits { LayerTraits(inputs: 3...3, fourAxes: nil) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (boxes, classes) = counts(inputs)
    let scores = Int64(inputs[1].reduce(1, *))
    guard inputs[2].count == 2, boxes > 0, inputs[0].reduce(1, *) / 4 >= boxes,
      self.classes == nil
        ? inputs[1] == [classes, boxes] && inputs[2][1] == 4
        : scores >= product([boxes, classes]) && inputs[2][0] == 2 && inputs[2][1] % 4 == 0
    else {
      throw .shape(
        "shapes \(inputs)",
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
    let hasVariances = self.classes != nil
    func score(_ box: Int, _ label: Int) -> Float {
      hasVariances ? scores[box * classes + label] : scores[label * boxes + box]
    }
    func four(_ values: [Float], _ place: Int) -> [Float] {
      Array(values[4 * place..<4 * place + 4])
    }
    func decoded(_ box: Int, _ label: Int) -> ScoredBox {
      // Boxes that are surely background are not decoded upstream.
      guard score(box, 0) < 1 - threshold else {
        return ScoredBox(label: label, score: score(box, label), x: 0, y: 0, width: 0, height: 0)
      }
      let edges = four(priors, box)
      let (width, height) = (edges[2] - edges[0], edges[3] - edges[1])
      let factors = hasVariances ? four(priors, boxes + box) : variances
      let moves = zip(factors, four(differences, box)).map { $0 * $1 }
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
      steps: product([boxes, classes, 2 * Int(Cost.exponential)]) + product([classes, kept, kept]),
      scratchElements: product([8, boxes]) + product([8, classes, kept]))
  }
}
