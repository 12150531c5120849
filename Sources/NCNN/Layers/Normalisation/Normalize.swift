/// Parameters of Normalize: numbers divided by the root of the sum of their squares.
struct Normalize: Hashable, Sendable {
  /// How epsilon keeps the divisor from 0, numbered as in ncnn.
  enum Guard: Int, Hashable, Sendable {
    /// `√(sum + epsilon)`
    case added = 0
    /// `max(√sum, epsilon)`
    case largerRoot
    /// `√max(sum, epsilon)`
    case largerSum
  }

  /// Whether all pixels share a divisor.
  var acrossPixels: Bool
  /// Whether all channels share a divisor.
  var acrossChannels: Bool
  /// What keeps the divisor from 0.
  var epsilon: Float
  /// How it does.
  var guarding: Guard
  /// The number of learned factors, one for each channel.
  var scaleCount: Int
  /// Whether the first factor is for all channels.
  var sharesScale: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    acrossPixels = try reader.flag(0, "across_spatial")
    sharesScale = try reader.flag(1, "channel_shared")
    epsilon = try reader.real(2, "eps", default: 0.0001)
    scaleCount = try reader.size(3, "scale_data_size")
    acrossChannels = try reader.flag(4, "across_channel", default: true)
    guarding = Guard(rawValue: try reader.integer(9, "eps_mode", default: 0, in: 0...2)) ?? .added
  }
}

extension Normalize: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(weights: [WeightRequest("scales", count: scaleCount)]) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let channels = inputs[0].count < 3 ? 1 : inputs[0][0]
    guard sharesScale || scaleCount == channels else {
      throw InferenceError(.shape, found: "shape \(inputs[0])", expected: "\(scaleCount) channels")
    }
    return inputs[0]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    guard acrossPixels || acrossChannels else { return inputs[0] }
    let channels = inputs[0].channels
    let pixels = inputs[0].values.count / channels
    /// The group of each element: all, its channel or its pixel.
    func group(_ index: Int) -> Int {
      acrossPixels ? (acrossChannels ? 0 : index / pixels) : index % pixels
    }
    let groups = acrossPixels ? (acrossChannels ? 1 : channels) : pixels
    var sums = [Float](repeating: 0, count: groups)
    for (index, value) in inputs[0].values.enumerated() { sums[group(index)] += value * value }
    let factors = sums.map { sum in
      switch guarding {
      case .added: 1 / (sum + epsilon).squareRoot()
      case .largerRoot: 1 / max(sum.squareRoot(), epsilon)
      case .largerSum: 1 / max(sum, epsilon).squareRoot()
      }
    }
    var result = inputs[0]
    for index in result.values.indices {
      result.values[index] *= factors[group(index)] * weights[0][sharesScale ? 0 : index / pixels]
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    Cost(steps: 2 * product(output), scratchElements: 2 * product(output))
  }
}
