/// Blobs joined along an axis.
struct Concat: SingleOutputKind, Hashable {
  let axis: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    axis = try reader.integer(0, "axis", default: 0, in: axisRange)
  }

  var traits: LayerTraits {
    LayerTraits(
      inputs: 1...Int.max, movesInt8: axis.isChannels, movement: .rearranges,
      channels: axis.isChannels ? .joined : .new)
  }

  var attributes: [LayerAttribute]? { [("axis", "\(axis)")] }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .join(axis: axis) }

  /// The blobs must agree in all other axes.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    var shape = inputs[0]
    let axis = try resolvedAxis(axis, of: shape)
    for input in inputs.dropFirst() {
      var other = input
      guard other.count == shape.count else {
        throw InferenceError(.shape, found: "shapes \(inputs)", expected: "the same number of axes")
      }
      other[axis] = shape[axis]
      guard other == shape else {
        throw InferenceError(
          .shape, found: "shapes \(inputs)", expected: "equal sizes except along axis \(axis)")
      }
      let (sum, overflow) = shape[axis].addingReportingOverflow(input[axis])
      guard !overflow else {
        throw InferenceError(.limit, found: "shapes \(inputs)", expected: "a sum that fits an Int")
      }
      shape[axis] = sum
    }
    return shape
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let axis = try resolvedAxis(axis, of: shape)
    let outer = shape[..<axis].reduce(1, *)
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    for index in 0..<outer {
      for input in inputs {
        let run = input.values.count / outer
        values += input.values[index * run..<(index + 1) * run]
      }
    }
    return Tensor(shape, values)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    isChannelAxis(axis, of: output) ? .joined : .inSequence
  }
}
