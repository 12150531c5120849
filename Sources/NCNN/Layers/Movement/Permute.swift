/// Parameters of Permute: the axes in another order.
package struct Permute: Hashable, Sendable {
  /// ncnn's number of the order, 0…23: among the orders of the axes, the outermost first, as a dictionary
  /// would list them. Of three axes, 1 is channels, columns, rows.
  package var order: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    order = try reader.integer(0, "order_type", default: 0, in: 0...23)
  }
}

extension Permute: SingleOutputKind {
  package var traits: LayerTraits { LayerTraits(movement: .rearranges) }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    order == 1 ? .transpose : .plain
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try sources(axes: inputs[0].count).map { inputs[0][$0] }
  }

  /// For each axis of the result, the outermost first, the axis of the input that it comes from.
  private func sources(axes: Int) throws(InferenceError) -> [Int] {
    let orders = (1...axes).reduce(1, *)
    guard axes == 1 || order < orders else {
      throw InferenceError(
        .shape, found: "order \(order) of \(axes) axes", expected: "one of 0 to \(orders - 1)")
    }
    var (left, rest, choices) = (Array(0..<axes), axes == 1 ? 0 : order, orders)
    return (0..<axes).map { axis in
      choices /= axes - axis
      defer { rest %= choices }
      return left.remove(at: rest / choices)
    }
  }

  /// The input with its axes in the new order.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    guard let sources = try? sources(axes: input.shape.count) else {
      preconditionFailure("the shape has been inferred")
    }
    let inputSteps = strides(of: input.shape)
    let steps = fourAxes(sources.map { inputSteps[$0] }, missing: 0)
    var values: [Float] = []
    values.reserveCapacity(input.values.count)
    forEachRow(of: shape) { channel, slice, row in
      let start = channel * steps[0] + slice * steps[1] + row * steps[2]
      for x in 0..<shape[shape.count - 1] { values.append(input.values[start + x * steps[3]]) }
    }
    return Tensor(shape, values)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    order == 0 ? .sameElement : .moved
  }
}
