import NCNN

extension Scale {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    if let channels { return try perChannelShape(inputs[0], channels: channels) }
    guard inputs[1] == [inputs[0][0]] else {
      throw InferenceError(
        .shape, found: "scales of shape \(inputs[1])",
        expected: "\(inputs[0][0]), one for each channel")
    }
    return inputs[0]
  }

  /// x · scale + bias
  func apply(_ inputs: [Tensor], weights: [[Float]]) -> Tensor {
    let scales = channels == nil ? inputs[1].values : weights[0]
    return scaled(inputs[0], by: scales, plus: hasBias ? weights[1] : nil)
  }
}
