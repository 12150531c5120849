import NCNN

/// The output shape of a layer with weights per channel; nil allows any number of channels.
private func perChannelShape(_ shape: [Int], channels: Int?) throws(InferenceError) -> [Int] {
  guard channels == nil || channels == shape[0] else {
    throw InferenceError(
      .shape, found: "shape \(shape)", expected: "\(channels ?? 0) along the outermost axis")
  }
  return shape
}

/// x · scale + bias with one pair per channel.
private func scaled(_ input: Tensor, by scales: [Float], plus biases: [Float]?) -> Tensor {
  let size = input.values.count / input.shape[0]
  var result = input
  for index in result.values.indices {
    let channel = index / size
    result.values[index] = result.values[index] * scales[channel] + (biases?[channel] ?? 0)
  }
  return result
}

/// x + bias; fewer axes than three are one channel, as upstream has it.
struct Bias: SingleOutputKind {
  let channels: Int

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    inputs[0].count < 3 ? inputs[0] : try perChannelShape(inputs[0], channels: channels)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let size = shape.count < 3 ? shape.reduce(1, *) : shape.dropFirst().reduce(1, *)
    var result = inputs[0]
    for index in result.values.indices { result.values[index] += weights[0][index / size] }
    return result
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}

/// x, or x · slope below zero, with one slope or one per channel.
struct PReLU: SingleOutputKind {
  let slopeCount: Int

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try perChannelShape(inputs[0], channels: slopeCount == 1 ? nil : slopeCount)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let slopes = weights[0]
    let size = inputs[0].values.count / shape[0]
    var result = inputs[0]
    for index in result.values.indices where result.values[index] < 0 {
      result.values[index] *= slopes.count == 1 ? slopes[0] : slopes[index / size]
    }
    return result
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}

extension Scale: SingleOutputKind {
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
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let scales = channels == nil ? inputs[1].values : weights[0]
    return scaled(inputs[0], by: scales, plus: hasBias ? weights[1] : nil)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    channels == nil ? .sameElementAndSecondInput : .sameElement
  }
}

extension BatchNorm: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try perChannelShape(inputs[0], channels: channels)
  }

  /// (x − mean) / √(variance + epsilon) · slope + bias
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (scales, offsets) = factors(weights)
    return scaled(inputs[0], by: scales, plus: offsets)
  }

  /// What upstream divides by where variance and epsilon are 0.
  private static let leastDeviation: Float = 1e-4

  /// The same as x · scale + offset, with a pair for each channel.
  func factors(_ weights: [[Float]]) -> (scales: [Float], offsets: [Float]) {
    let (slopes, means, variances, biases) = (weights[0], weights[1], weights[2], weights[3])
    let scales = (0..<channels).map { channel in
      let deviation = (variances[channel] + epsilon).squareRoot()
      return slopes[channel] / (deviation == 0 ? Self.leastDeviation : deviation)
    }
    let offsets = (0..<channels).map { biases[$0] - means[$0] * scales[$0] }
    return (scales, offsets)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}

extension GroupNorm: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs[0].count >= 3 || !needsThreeAxes else {
      throw InferenceError(.shape, found: "shape \(inputs[0])", expected: "three axes")
    }
    return try perChannelShape(inputs[0], channels: channels == 0 ? nil : channels)
  }

  /// (x − mean) / √(variance + epsilon) · gamma + beta, mean and variance over each group.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let size = inputs[0].values.count / (group == 0 ? shape[0] : group)
    let result = inputs[0].normalised(runsOf: size) { 1 / ($0 + epsilon).squareRoot() }
    return isAffine ? scaled(result, by: weights[0], plus: weights[1]) : result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output, steps: 4) }
}
