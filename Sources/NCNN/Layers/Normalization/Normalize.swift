// SPDX-License-Identifier: Apache-2.0

/// x / √Σx² · scale, with the sum of all elements, of each channel or of each pixel (Liu et al.,
/// 2016).
struct Normalize: SingleOutputKind, Hashable {
  /// How epsilon keeps the divisor from 0, in ncnn's order.
  enum Guard: CaseIterable { case added, largerRoot, largerSum }

  let acrossPixels, acrossChannels: Bool
  let epsilon: Float
  let guarding: Guard
  let scaleCount: Int
  /// Whether the first scale is for all channels.
  let sharesScale: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    acrossPixels = try reader.flag(0, "across_spatial")
    sharesScale = try reader.flag(1, "channel_shared")
    epsilon = try reader.real(2, "eps", default: 0.0001)
    scaleCount = try reader.size(3, "scale_data_size")
    acrossChannels = try reader.flag(4, "across_channel", default: true)
    guarding = Guard.allCases[try reader.integer(9, "eps_mode", default: 0, in: 0...2)]
  }

  var traits: LayerTraits { LayerTraits(weights: ["scales"], count: scaleCount) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let channels = inputs[0].count < 3 ? 1 : inputs[0][0]
    guard sharesScale || scaleCount == channels else {
      throw .shape("shape \(inputs[0])", expected: "\(scaleCount) channels")
    }
    return inputs[0]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    guard acrossPixels || acrossChannels else { return inputs[0] }
    var result = inputs[0]
    let pixels = result.values.count / result.channels
    /// The group of each element: all, its channel or its pixel.
    func group(_ index: Int) -> Int {
      acrossPixels ? (acrossChannels ? 0 : index / pixels) : index % pixels
    }
    var sums = [Float](repeating: 0, count: group(result.values.count - 1) + 1)
    for (index, value) in result.values.enumerated() { sums[group(index)] += value * value }
    let factors = sums.map { sum in
      switch guarding {
      case .added: 1 / (sum + epsilon).squareRoot()
      case .largerRoot: 1 / max(sum.squareRoot(), epsilon)
      case .largerSum: 1 / max(sum, epsilon).squareRoot()
      }
    }
    for index in result.values.indices {
      result.values[index] *= factors[group(index)] * weights[0][sharesScale ? 0 : index / pixels]
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    Cost(steps: 2 * product(output), scratchElements: 2 * product(output))
  }
}
