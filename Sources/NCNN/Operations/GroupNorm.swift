/// Parameters of GroupNorm (Wu and He, 2018). Weights, where affine: gamma, beta, each of
/// `channels`.
public struct GroupNorm: Hashable, Sendable {
  /// Into how many groups the channels are divided.
  public var group: Int
  /// Channels of the input.
  public var channels: Int
  /// Added to the variance.
  public var epsilon: Float
  /// Whether a learned scale and offset per channel follow.
  public var isAffine: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    group = try reader.integer(0, "group", default: 1, in: 1...Limits.integerParameter)
    channels = try reader.integer(1, "channels", default: 0, in: 1...Limits.integerParameter)
    epsilon = try reader.real(2, "eps", default: 0.001)
    isAffine = try reader.flag(3, "affine", default: true)
    guard channels % group == 0 else {
      throw reader.refusal(
        "channels \(channels) and group \(group)", expected: "a group that divides the channels")
    }
  }

  var weightRequests: [WeightRequest] {
    guard isAffine else { return [] }
    return [WeightRequest("gamma", count: channels), WeightRequest("beta", count: channels)]
  }
}
