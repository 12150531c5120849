/// C × H × W: blobs of fewer axes get the first bias alone from upstream, which is no bias per channel.
func biasShape(_ input: [Int], channels: Int) throws(InferenceError) -> [Int] {
  guard input.count == 3 else {
    throw InferenceError(.shape, found: "shape \(input)", expected: "three axes")
  }
  return try perChannelShape(input, channels: channels)
}

/// x + bias, with one per channel.
func biased(_ input: Tensor, by biases: [Float]) -> Tensor {
  let size = input.rows * input.columns
  var result = input
  for index in result.values.indices { result.values[index] += biases[index / size] }
  return result
}
