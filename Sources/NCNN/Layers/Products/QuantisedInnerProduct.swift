/// A fully connected layer of int8 numbers, whose products are summed exactly; it gives floats.
struct QuantisedInnerProduct: SingleOutputKind, Hashable {
  let layer: InnerProduct
  /// Whether the input is int8; floats are quantised first.
  let readsInt8: Bool

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try layer.outputShape(inputs)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    guard let scales = Int8Scales(of: layer.traits.int8, in: weights) else {
      preconditionFailure("the weights are loaded")
    }
    let input = readsInt8 ? inputs[0] : inputs[0].quantised(scale: scales.inputScale)
    let (source, factors) = (input.integers, weights[0].map(Int32.init))
    let count = layer.inputCount
    var result = Tensor(shape)
    for index in result.values.indices {
      let (row, output) = index.quotientAndRemainder(dividingBy: layer.outputCount)
      var sum: Int32 = 0
      for i in 0..<count { sum += factors[output * count + i] * source[row * count + i] }
      result.values[index] = scales.result(
        of: sum, channel: output, bias: layer.hasBias ? weights[1][output] : 0,
        activation: layer.activation)
    }
    return result
  }

  /// That of the layer in floats, and an int8 copy of the input.
  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    var cost = layer.cost(inputs: inputs, output: output)
    cost.steps += 2 * product(inputs[0])
    cost.scratchElements += 2 * product(inputs[0])
    return cost
  }
}
