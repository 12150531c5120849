/// Parameters of BatchNorm. Weights: slope, mean, variance, bias, each of `channels`.
public struct BatchNorm: Hashable, Sendable {
  /// Channels of the input.
  public var channels: Int
  /// Added to the variance.
  public var epsilon: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    channels = try reader.integer(0, "channels", default: 0, in: 1...Limits.integerParameter)
    epsilon = try reader.real(1, "eps", default: 0)
  }

  var weightRequests: [WeightRequest] {
    ["slopes", "means", "variances", "biases"].map { WeightRequest($0, count: channels) }
  }
}
