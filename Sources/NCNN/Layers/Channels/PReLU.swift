// SPDX-License-Identifier: Apache-2.0

/// x, or x · slope below zero, with one slope or one per channel (He et al., 2015).
struct PReLU: SingleOutputKind, Hashable {
  let slopeCount: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    slopeCount = try reader.size(0, "num_slope")
  }

  var traits: LayerTraits { LayerTraits(weights: ["slopes"], count: slopeCount) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .arithmetic(.input(0), [(.leak, .numbers(weights[0]))])
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try perChannelShape(inputs[0], channels: slopeCount == 1 ? nil : slopeCount)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    inputs[0].mapped(channels: shape[0]) { x, channel in
      x < 0 ? x * weights[0][slopeCount == 1 ? 0 : channel] : x
    }
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}
