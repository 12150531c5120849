/// A blob with the elements along some axes in reverse.
struct Flip: SingleOutputKind, Hashable {
  let axes: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    axes = try reader.integers(0, "axes", in: axisRange)
  }

  var traits: LayerTraits { LayerTraits(movement: .rearranges) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    for axis in axes { _ = try resolvedAxis(axis, of: inputs[0]) }
    return inputs[0]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    var flipped: Set<Int> = []
    for axis in axes { flipped.insert(try resolvedAxis(axis, of: shape)) }
    let steps = strides(of: shape)
    return inputs[0].gathered(
      shape,
      shape.indices.map { axis in
        (0..<shape[axis]).map { (flipped.contains(axis) ? shape[axis] - 1 - $0 : $0) * steps[axis] }
      })
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }
}
