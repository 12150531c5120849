/// The output shape of a layer with weights per channel; nil allows any number of channels.
func perChannelShape(_ shape: [Int], channels: Int?) throws(InferenceError) -> [Int] {
  guard channels == nil || channels == shape[0] else {
    throw InferenceError(
      .shape, found: "shape \(shape)", expected: "\(channels ?? 0) along the outermost axis")
  }
  return shape
}

/// x · scale + bias with one pair per channel.
func scaled(_ input: Tensor, by scales: [Float], plus biases: [Float]?) -> Tensor {
  let size = input.values.count / input.shape[0]
  var result = input
  for index in result.values.indices {
    let channel = index / size
    result.values[index] = result.values[index] * scales[channel] + (biases?[channel] ?? 0)
  }
  return result
}
