// SPDX-License-Identifier: Apache-2.0

/// A blob with its axes in another order.
package struct Permute: SingleOutputKind, Hashable {
  /// ncnn's number of the order, 0…23: among the orders of the axes, the outermost first, as a dictionary
  /// would list them. Of three axes, 1 is channels, columns, rows.
  package let order: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    order = try reader.integer(0, "order_type", default: 0, in: 0...23)
  }

  package var traits: LayerTraits { LayerTraits(movement: .rearranges) }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    order == 1 ? .transpose : .plain
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let axes = inputs[0].count
    let orders = (1...axes).reduce(1, *)
    guard axes == 1 || order < orders else {
      throw .shape("order \(order) of \(axes) axes", expected: "one of 0 to \(orders - 1)")
    }
    return sources(axes: axes).map { inputs[0][$0] }
  }

  /// For each axis of the result, the outermost first, the axis of the input that it comes from.
  private func sources(axes: Int) -> [Int] {
    var (left, rest) = (Array(0..<axes), axes == 1 ? 0 : order)
    var choices = (1...axes).reduce(1, *)
    return (0..<axes).map { axis in
      choices /= axes - axis
      defer { rest %= choices }
      return left.remove(at: rest / choices)
    }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let steps = strides(of: inputs[0].shape)
    return inputs[0].strided(shape, by: sources(axes: steps.count).map { steps[$0] })
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { order == 0 ? .sameElement : .moved }
}
