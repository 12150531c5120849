/// Parameters of LayerNorm (Ba et al., 2016) and of RMSNorm (Zhang and Sennrich, 2019): rows, or channels,
/// normalised each by itself. Weights, where affine: gamma, and of LayerNorm beta.
public struct LayerNorm: Hashable, Sendable {
  /// The elements that share a mean, and the learned factors: those of a row, or of a channel.
  public var size: Int
  /// Added to the variance.
  public var epsilon: Float
  /// Whether learned factors follow.
  public var isAffine: Bool
  /// Whether the mean is subtracted; RMSNorm only divides.
  public var subtractsMean: Bool

  init(_ reader: ParameterReader, subtractsMean: Bool) throws(ModelError) {
    self.subtractsMean = subtractsMean
    epsilon = try reader.real(1, "eps", default: 0.001)
    isAffine = try reader.flag(2, "affine", default: true)
    size = try reader.integer(
      0, "affine_size", default: 0, in: (isAffine ? 1 : 0)...Limits.integerParameter)
  }

  var weightRequests: [WeightRequest] {
    guard isAffine else { return [] }
    let names = subtractsMean ? ["gamma", "beta"] : ["gamma"]
    return names.map { WeightRequest($0, count: size) }
  }
}

/// Parameters of LRN: each element divided by a power of the squares around it (Krizhevsky et al., 2012).
public struct LocalNorm: Hashable, Sendable {
  /// Whether the squares are those of the neighbouring pixels; else of the neighbouring channels.
  public var isWithinChannel: Bool
  /// The number of channels, or of rows and of columns, whose squares count.
  public var window: Int
  /// The factor of the mean of the squares.
  public var alpha: Float
  /// The power.
  public var beta: Float
  /// What the product is added to.
  public var bias: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    isWithinChannel = try reader.flag(0, "region_type")
    window = try reader.integer(1, "local_size", default: 5, in: 1...(1 << 12))
    alpha = try reader.real(2, "alpha", default: 1)
    beta = try reader.real(3, "beta", default: 0.75)
    bias = try reader.real(4, "bias", default: 1)
  }
}

/// Parameters of Normalize: numbers divided by the root of the sum of their squares.
public struct Normalize: Hashable, Sendable {
  /// How epsilon keeps the divisor from 0, numbered as in ncnn.
  public enum Guard: Int, Hashable, Sendable {
    /// `√(sum + epsilon)`
    case added = 0
    /// `max(√sum, epsilon)`
    case largerRoot
    /// `√max(sum, epsilon)`
    case largerSum
  }

  /// Whether all pixels share a divisor.
  public var acrossPixels: Bool
  /// Whether all channels share a divisor.
  public var acrossChannels: Bool
  /// What keeps the divisor from 0.
  public var epsilon: Float
  /// How it does.
  public var guarding: Guard
  /// The number of learned factors, one for each channel.
  public var scaleCount: Int
  /// Whether the first factor is for all channels.
  public var sharesScale: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    acrossPixels = try reader.flag(0, "across_spatial")
    sharesScale = try reader.flag(1, "channel_shared")
    epsilon = try reader.real(2, "eps", default: 0.0001)
    scaleCount = try reader.size(3, "scale_data_size")
    acrossChannels = try reader.flag(4, "across_channel", default: true)
    guarding = Guard(rawValue: try reader.integer(9, "eps_mode", default: 0, in: 0...2)) ?? .added
  }
}

/// Parameters of MVN: the mean subtracted, and perhaps the deviation made 1.
public struct MeanVarianceNorm: Hashable, Sendable {
  /// Whether numbers are divided by their deviation.
  public var dividesByDeviation: Bool
  /// Whether all channels share a mean.
  public var acrossChannels: Bool
  /// Added to the deviation.
  public var epsilon: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    dividesByDeviation = try reader.flag(0, "normalize_variance")
    acrossChannels = try reader.flag(1, "across_channels")
    epsilon = try reader.real(2, "eps", default: 0.0001)
  }
}
