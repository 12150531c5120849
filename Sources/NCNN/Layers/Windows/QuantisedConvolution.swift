/// A convolution of int8 numbers, whose products are summed exactly.
struct QuantisedConvolution: SingleOutputKind, Hashable {
  let convolution: Convolution
  /// Whether the input is int8; floats are quantised first.
  let readsInt8: Bool

  /// As the convolution in floats, but three or two axes only: upstream mistakes a single axis for
  /// a row of pixels.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs[0].count > 1 else {
      throw .shape("shape \(inputs[0]) under an int8 convolution", expected: "three axes")
    }
    return try convolution.outputShape(inputs)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    guard let scales = Int8Scales(of: convolution.traits.int8, in: weights) else {
      preconditionFailure("the weights are loaded")
    }
    let input = readsInt8 ? inputs[0] : inputs[0].quantised(scale: scales.inputScale)
    let source = convolution.border.added(
      to: input, value: convolution.borderValue.rounded(.towardZero), window: convolution.window,
      stride: convolution.stride)
    return convolution.convolve(
      source.integers, rows: source.rows, columns: source.columns,
      weights: weights[0].map(Int32.init), shape: shape, startingWith: { _ in 0 }
    ) { sum, channel in
      scales.result(
        of: sum, channel: channel, bias: convolution.hasBias ? weights[1][channel] : 0,
        activation: convolution.activation)
    }
  }

  /// That of the convolution in floats, and copies of the input: quantised, and with its border as
  /// integers.
  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    var cost = convolution.cost(inputs: inputs, output: output)
    let copied = product(inputs[0]) + max(product(inputs[0]), cost.scratchElements)
    cost.steps += copied
    cost.scratchElements += copied
    return cost
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    convolution.reading(inputs: inputs, output: output)
  }
}
