import NCNN

extension Scale {
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
    try perChannelShape(input, channels: channels)
  }

  /// x · scale + bias
  func apply(_ input: Tensor, weights: [[Float]]) -> Tensor {
    scaled(input, by: weights[0], plus: hasBias ? weights[1] : nil)
  }
}
