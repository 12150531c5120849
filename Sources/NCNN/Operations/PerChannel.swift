/// Parameters of Scale. Weights: scale, then bias where there is one, each of `channels`; none
/// where a second blob provides the scales.
public struct Scale: Hashable, Sendable {
  /// Channels of the input; nil where a second blob, of one axis, provides the scales.
  public var channels: Int?
  /// Whether a bias is added.
  public var hasBias: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    if reader.parameters[0] == .integer(ParamFormat.placeholder) {
      // The bias would have -233 weights.
      try reader.requireUnused(1, "bias_term beside the scales of a blob")
    } else {
      channels = try reader.size(0, "scale_data_size")
    }
    hasBias = try reader.flag(1, "bias_term")
  }

  var weightRequests: [WeightRequest] {
    guard let channels else { return [] }
    let scale = WeightRequest("scales", count: channels)
    return hasBias ? [scale, WeightRequest("biases", count: channels)] : [scale]
  }
}

/// Parameters of BatchNorm. Weights: slope, mean, variance, bias, each of `channels`.
public struct BatchNorm: Hashable, Sendable {
  /// Channels of the input.
  public var channels: Int
  /// Added to the variance.
  public var epsilon: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    channels = try reader.size(0, "channels")
    epsilon = try reader.real(1, "eps", default: 0)
  }

  var weightRequests: [WeightRequest] {
    ["slopes", "means", "variances", "biases"].map { WeightRequest($0, count: channels) }
  }
}

/// Parameters of GroupNorm (Wu and He, 2018), and of InstanceNorm, where each channel is a group.
/// Weights, where affine: gamma, beta, each of `channels`.
public struct GroupNorm: Hashable, Sendable {
  /// The number of groups of channels; 0 where each channel of any input is one.
  public var group: Int
  /// Channels of the input; 0 for any number.
  public var channels: Int
  /// Added to the variance.
  public var epsilon: Float
  /// Whether a learned scale and offset per channel follow.
  public var isAffine: Bool
  /// Whether blobs of fewer than three axes are refused: InstanceNorm treats them as one channel.
  public var needsThreeAxes = false

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
