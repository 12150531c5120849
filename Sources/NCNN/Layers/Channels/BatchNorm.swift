// SPDX-License-Identifier: Apache-2.0

/// (x − mean) / √(variance + epsilon) · slope + bias, with four numbers for each channel (Ioffe and
/// Szegedy, 2015).
struct BatchNorm: SingleOutputKind, Hashable {
  let channels: Int
  let epsilon: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    channels = try reader.size(0, "channels")
    epsilon = try reader.real(1, "eps", default: 0)
  }

  var traits: LayerTraits {
    var traits = LayerTraits(weights: ["slopes", "means", "variances", "biases"], count: channels)
    for index in 1...2 { traits.weights[index].areConstants = true }
    return traits
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    let (scales, offsets) = factors(weights)
    return .arithmetic(.input(0), [(.multiply, .numbers(scales)), (.add, .numbers(offsets))])
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try perChannelShape(inputs[0], channels: channels)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (scales, offsets) = factors(weights)
    return inputs[0].scaled(by: scales, plus: offsets)
  }

  /// The same as x · scale + offset, with a pair for each channel.
  private func factors(_ weights: [[Float]]) -> (scales: [Float], offsets: [Float]) {
    let (slopes, means, variances, biases) = (weights[0], weights[1], weights[2], weights[3])
    let scales = (0..<channels).map { channel in
      let deviation = (variances[channel] + epsilon).squareRoot()
      // What upstream divides by in place of 0.
      return slopes[channel] / (deviation == 0 ? 1e-4 : deviation)
    }
    return (scales, (0..<channels).map { biases[$0] - means[$0] * scales[$0] })
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}
