import NCNN

extension BatchNorm {
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
    try perChannelShape(input, channels: channels)
  }

  /// (x − mean) / √(variance + epsilon) · slope + bias
  func apply(_ input: Tensor, weights: [[Float]]) -> Tensor {
    let (slopes, means, variances, biases) = (weights[0], weights[1], weights[2], weights[3])
    let scales = (0..<channels).map { slopes[$0] / (variances[$0] + epsilon).squareRoot() }
    let offsets = (0..<channels).map { biases[$0] - means[$0] * scales[$0] }
    return scaled(input, by: scales, plus: offsets)
  }
}
