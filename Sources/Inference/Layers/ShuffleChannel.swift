import NCNN

extension ShuffleChannel {
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
    guard input[0] % group == 0 else {
      throw InferenceError(
        .shape, found: "shape \(input)", expected: "channels in \(group) equal groups")
    }
    return input
  }

  /// Channel i · C/g + j moves to j · g + i; reversed, it moves back.
  func apply(_ input: Tensor) -> Tensor {
    let channels = input.shape[0]
    let size = input.values.count / channels
    var result = input
    for channel in 0..<channels {
      let target = target(of: channel, of: channels)
      for k in 0..<size { result.values[target * size + k] = input.values[channel * size + k] }
    }
    return result
  }

  /// Where a channel of so many moves to.
  func target(of channel: Int, of channels: Int) -> Int {
    let columns = isReversed ? group : channels / group
    let (i, j) = channel.quotientAndRemainder(dividingBy: columns)
    return j * (channels / columns) + i
  }
}
