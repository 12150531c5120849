// SPDX-License-Identifier: Apache-2.0

/// A kind whose layers may multiply in int8.
protocol QuantizableKind: SingleOutputKind, Hashable {
  var hasBias: Bool { get }
  var activation: Activation { get }
  var int8ScaleTerm: Int { get }

  /// The results of the sums of int8 products, which are exact.
  func runInt8(
    _ input: Tensor, weights: [Int32], shape: [Int], result: (_ sum: Int32, _ channel: Int) -> Float
  ) -> Tensor
}

extension QuantizableKind {
  package func inInt8(readsInt8: Bool) -> LayerOperation? {
    int8ScaleTerm == 0 ? nil : LayerOperation(Quantized(layer: self, readsInt8: readsInt8))
  }
}

/// A layer in int8 numbers.
private struct Quantized<Layer: QuantizableKind>: SingleOutputKind, Hashable {
  let layer: Layer
  /// Whether the input is int8; floats are quantised first.
  let readsInt8: Bool

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try layer.outputShape(inputs)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    guard let scales = Int8Scales(of: layer.traits.int8, in: weights) else {
      preconditionFailure("the weights are loaded")
    }
    let input = readsInt8 ? inputs[0] : inputs[0].quantized(scale: scales.inputScale)
    return layer.runInt8(input, weights: weights[0].map(Int32.init), shape: shape) { sum, channel in
      scales.result(
        of: sum, channel: channel, bias: layer.hasBias ? weights[1][channel] : 0,
        activation: layer.activation)
    }
  }

  /// That of the layer in floats, and copies of the input: quantised, and as integers with its border.
  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    var cost = layer.cost(inputs: inputs, output: output)
    let copied = product(inputs[0]) + max(product(inputs[0]), cost.scratchElements)
    cost.steps += copied
    cost.scratchElements += copied
    return cost
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    layer.reading(inputs: inputs, output: output)
  }
}
