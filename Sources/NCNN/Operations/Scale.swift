/// Parameters of Scale. Weights: scale, then bias where there is one, each of `channels`.
public struct Scale: Hashable, Sendable {
  /// Channels of the input.
  public var channels: Int
  /// Whether a bias is added.
  public var hasBias: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    channels = try reader.integer(
      0, "scale_data_size", default: 0, in: 1...Limits.integerParameter)
    hasBias = try reader.flag(1, "bias_term")
  }

  var weightRequests: [WeightRequest] {
    let scale = WeightRequest("scales", count: channels)
    return hasBias ? [scale, WeightRequest("biases", count: channels)] : [scale]
  }
}
