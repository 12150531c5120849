/// Parameters of GroupNorm (Wu and He, 2018), and of InstanceNorm, where each channel is a group.
/// Weights, where affine: gamma, beta, each of `channels`.
struct GroupNorm: Hashable, Sendable {
  /// The number of groups of channels; 0 where each channel of any input is one.
  var group: Int
  /// Channels of the input; 0 for any number.
  var channels: Int
  /// Added to the variance.
  var epsilon: Float
  /// Whether a learned scale and offset per channel follow.
  var isAffine: Bool
  /// Whether blobs of fewer than three axes are refused: InstanceNorm treats them as one channel.
  var needsThreeAxes = false

  init(_ reader: ParameterReader) throws(ModelError) {
    group = try reader.size(0, "group", default: 1)
    channels = try reader.size(1, "channels")
    epsilon = try reader.real(2, "eps", default: 0.001)
    isAffine = try reader.flag(3, "affine", default: true)
    guard channels % group == 0 else {
      throw reader.refusal(
        "channels \(channels) and group \(group)", expected: "a group that divides the channels")
    }
  }

  /// Reads the parameters of InstanceNorm.
  init(instances reader: ParameterReader) throws(ModelError) {
    isAffine = try reader.flag(2, "affine", default: true)
    channels = try reader.integer(
      0, "channels", default: 0, in: (isAffine ? 1 : 0)...Limits.integerParameter)
    group = channels
    epsilon = try reader.real(1, "eps", default: 0.001)
    needsThreeAxes = true
  }

  var weightRequests: [WeightRequest] {
    guard isAffine else { return [] }
    return [WeightRequest("gamma", count: channels), WeightRequest("beta", count: channels)]
  }
}

extension GroupNorm: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(weights: weightRequests) }

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
