import NCNN

extension BatchNorm {
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
    try perChannelShape(input, channels: channels)
  }

  /// (x − mean) / √(variance + epsilon) · slope + bias
  func apply(_ input: Tensor, weights: [[Float]]) -> Tensor {
    let (scales, offsets) = factors(weights)
    return scaled(input, by: scales, plus: offsets)
  }

  /// The same as x · scale + offset, a pair for each channel.
  func factors(_ weights: [[Float]]) -> (scales: [Float], offsets: [Float]) {
    let (slopes, means, variances, biases) = (weights[0], weights[1], weights[2], weights[3])
    let scales = (0..<channels).map { slopes[$0] / (variances[$0] + epsilon).squareRoot() }
    let offsets = (0..<channels).map { biases[$0] - means[$0] * scales[$0] }
    return (scales, offsets)
  }
}
