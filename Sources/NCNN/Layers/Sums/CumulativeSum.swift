/// The sums of all elements up to each, along an axis.
struct CumulativeSum: SingleOutputKind, Hashable {
  let axis: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    axis = try reader.integer(0, "axis", default: 0, in: axisRange)
  }

  var attributes: [LayerAttribute]? { [("axis", "\(axis)")] }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    _ = try resolvedAxis(axis, of: inputs[0])
    return inputs[0]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let axis = try resolvedAxis(axis, of: shape)
    let step = strides(of: shape)[axis]
    var result = inputs[0]
    for index in result.values.indices where index / step % shape[axis] > 0 {
      result.values[index] += result.values[index - step]
    }
    return result
  }
}
