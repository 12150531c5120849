/// The shape stays; there is one slope, or one per slice along the outermost axis.
func preluShape(_ input: [Int], slopeCount: Int) throws(InferenceError) -> [Int] {
  try perChannelShape(input, channels: slopeCount == 1 ? nil : slopeCount)
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
