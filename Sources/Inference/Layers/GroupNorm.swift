import NCNN

extension GroupNorm {
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
    guard input.count == 3 || !needsThreeAxes else {
      throw InferenceError(.shape, found: "shape \(input)", expected: "three axes")
    }
    return try perChannelShape(input, channels: channels)
  }

  /// (x − mean) / √(variance + epsilon) · gamma + beta, mean and variance over each group.
  func apply(_ input: Tensor, weights: [[Float]]) -> Tensor {
    let size = input.values.count / group
    var result = input
    for start in stride(from: 0, to: input.values.count, by: size) {
      let values = input.values[start..<start + size]
      let mean = values.reduce(0, +) / Float(size)
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(size)
      let factor = 1 / (variance + epsilon).squareRoot()
      for index in values.indices {
        result.values[index] = (result.values[index] - mean) * factor
      }
    }
    return isAffine ? scaled(result, by: weights[0], plus: weights[1]) : result
  }
}
