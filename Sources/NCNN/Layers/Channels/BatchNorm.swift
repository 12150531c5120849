/// Parameters of BatchNorm. Weights: slope, mean, variance, bias, each of `channels`.
struct BatchNorm: Hashable, Sendable {
  /// Channels of the input.
  var channels: Int
  /// Added to the variance.
  var epsilon: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    channels = try reader.size(0, "channels")
    epsilon = try reader.real(1, "eps", default: 0)
  }

  var weightRequests: [WeightRequest] {
    ["slopes", "means", "variances", "biases"].map { WeightRequest($0, count: channels) }
  }
}

extension BatchNorm: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(weights: weightRequests) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    let (scales, offsets) = factors(weights)
    return .arithmetic(.input(0), [(.multiply, .numbers(scales)), (.add, .numbers(offsets))])
  }

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
