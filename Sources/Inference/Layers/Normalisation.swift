import NCNN

/// x · scale + bias with one pair per slice along the outermost axis.
func scaled(_ input: Tensor, by scales: [Float], plus biases: [Float]?) -> Tensor {
  let size = input.values.count / input.shape[0]
  var result = input
  for index in result.values.indices {
    let channel = index / size
    result.values[index] = result.values[index] * scales[channel] + (biases?[channel] ?? 0)
  }
  return result
}

/// x, or x · slope below zero, with one slope or one per slice along the outermost axis.
func prelu(_ input: Tensor, slopes: [Float]) -> Tensor {
  let size = input.values.count / input.shape[0]
  var result = input
  for index in result.values.indices where result.values[index] < 0 {
    result.values[index] *= slopes.count == 1 ? slopes[0] : slopes[index / size]
  }
  return result
}

extension BatchNorm {
  /// (x − mean) / √(variance + epsilon) · slope + bias
  func apply(_ input: Tensor, weights: [[Float]]) -> Tensor {
    let (slopes, means, variances, biases) = (weights[0], weights[1], weights[2], weights[3])
    let scales = (0..<channels).map { slopes[$0] / (variances[$0] + epsilon).squareRoot() }
    let offsets = (0..<channels).map { biases[$0] - means[$0] * scales[$0] }
    return scaled(input, by: scales, plus: offsets)
  }
}

extension GroupNorm {
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
