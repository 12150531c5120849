/// Parameters of Scale. Weights: scale, then bias where there is one, each of `channels`; none where a
/// second blob has the scales.
public struct Scale: Hashable, Sendable {
  /// Channels of the input; nil where the scales are a second blob, of one axis.
  public var channels: Int?
  /// Whether a bias is added.
  public var hasBias: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    if reader.parameters[0] == .integer(-233) {
      // The bias would have -233 weights.
      try reader.requireUnused(1, "bias_term beside the scales of a blob")
    } else {
      channels = try reader.integer(
        0, "scale_data_size", default: 0, in: 1...Limits.integerParameter)
    }
    hasBias = try reader.flag(1, "bias_term")
  }

  var weightRequests: [WeightRequest] {
    guard let channels else { return [] }
    let scale = WeightRequest("scales", count: channels)
    return hasBias ? [scale, WeightRequest("biases", count: channels)] : [scale]
  }
}
