// SPDX-License-Identifier: Apache-2.0

/// x + bias, one for each channel; fewer axes than three are one channel, as upstream has it.
struct Bias: SingleOutputKind, Hashable {
  let channels: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    channels = try reader.size(0, "bias_data_size")
  }

  var traits: LayerTraits { LayerTraits(weights: ["biases"], count: channels) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .arithmetic(.input(0), [(.add, .numbers(weights[0]))])
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    inputs[0].count < 3 ? inputs[0] : try perChannelShape(inputs[0], channels: channels)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    inputs[0].mapped(channels: inputs[0].channels) { $0 + weights[0][$1] }
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}
