// SPDX-License-Identifier: Apache-2.0

/// (x − mean) / √(variance + epsilon) · gamma + beta, with mean and variance of each row, or
/// channel (Ba et al., 2016); also RMSNorm, x / √(mean of x² + epsilon) · gamma (Zhang and
/// Sennrich, 2019).
///
/// Weights, where affine: gamma, and of LayerNorm beta, each of `size`.
struct LayerNorm: SingleOutputKind, Hashable {
  /// The elements of a row, or of a channel; any number where not affine.
  let size: Int
  let epsilon: Float
  let isAffine, subtractsMean: Bool

  init(_ reader: ParameterReader, subtractsMean: Bool) throws(ModelError) {
    self.subtractsMean = subtractsMean
    epsilon = try reader.real(1, "eps", default: 0.001)
    isAffine = try reader.flag(2, "affine", default: true)
    size = try reader.integer(
      0, "affine_size", default: 0, in: (isAffine ? 1 : 0)...Limits.integerParameter)
  }

  var traits: LayerTraits {
    LayerTraits(
      weights: !isAffine ? [] : subtractsMean ? ["gamma", "beta"] : ["gamma"], count: size)
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard !isAffine || sharing(inputs[0]) == size else {
      throw .shape("shape \(inputs[0])", expected: "rows or channels of \(size)")
    }
    return inputs[0]
  }

  /// The elements that share a mean: a row, the innermost axes that have `size` of them, or else a channel.
  private func sharing(_ shape: [Int]) -> Int {
    var run = shape[shape.count - 1]
    guard shape.count > 2 else { return run }
    for size in shape.dropFirst().dropLast().reversed() where run != self.size { run *= size }
    return run
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let run = sharing(shape)
    var result = inputs[0].normalized(runsOf: run, subtractsMean: subtractsMean) {
      1 / ($0 + epsilon).squareRoot()
    }
    guard isAffine else { return result }
    result.values.withUnsafeMutableBufferPointer { values in
      for start in stride(from: 0, to: values.count, by: run) {
        for index in 0..<run { values[start &+ index] *= weights[0][index] }
        guard subtractsMean else { continue }
        for index in 0..<run { values[start &+ index] += weights[1][index] }
      }
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output, steps: 4) }
}
