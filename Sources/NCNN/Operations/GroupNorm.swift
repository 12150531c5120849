/// Parameters of GroupNorm (Wu and He, 2018), and of InstanceNorm, where each channel is a group.
/// Weights, where affine: gamma, beta, each of `channels`.
public struct GroupNorm: Hashable, Sendable {
  /// Into how many groups the channels are divided.
  public var group: Int
  /// Channels of the input.
  public var channels: Int
  /// Added to the variance.
  public var epsilon: Float
  /// Whether a learned scale and offset per channel follow.
  public var isAffine: Bool
  /// Whether blobs of fewer than three axes are refused: InstanceNorm takes them for one channel.
  public var needsThreeAxes = false

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

  /// Of InstanceNorm.
  init(instances reader: ParameterReader) throws(ModelError) {
    channels = try reader.integer(0, "channels", default: 0, in: 1...Limits.integerParameter)
    group = channels
    epsilon = try reader.real(1, "eps", default: 0.001)
    isAffine = try reader.flag(2, "affine", default: true)
    needsThreeAxes = true
  }

  var weightRequests: [WeightRequest] {
    guard isAffine else { return [] }
    return [WeightRequest("gamma", count: channels), WeightRequest("beta", count: channels)]
  }
}
