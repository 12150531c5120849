import LibC

/// Exponentials divided by their sum along an axis; the largest element is subtracted first, so
/// that none overflows.
package struct Softmax: SingleOutputKind, Hashable {
  let axis: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    axis = try reader.integer(0, "axis", default: 0, in: axisRange)
  }

  package var attributes: [LayerAttribute]? { [("axis", "\(axis)")] }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    _ = try resolvedAxis(axis, of: inputs[0])
    return inputs[0]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let input = inputs[0]
    let axis = try resolvedAxis(axis, of: input.shape)
    let count = input.shape[axis]
    let step = input.shape[(axis + 1)...].reduce(1, *)
    var result = input
    for outer in 0..<input.shape[..<axis].reduce(1, *) {
      for inner in 0..<step {
        let start = outer * count * step + inner
        let indices = stride(from: start, to: start + count * step, by: step)
        let largest = indices.reduce(-Float.greatestFiniteMagnitude) { max($0, input.values[$1]) }
        var sum: Float = 0
        for index in indices {
          result.values[index] = exp(input.values[index] - largest)
          sum += result.values[index]
        }
        for index in indices { result.values[index] /= sum }
      }
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: output, steps: Cost.exponential)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    isChannelAxis(axis, of: output) ? .sameCell : .wholeInput
  }
}
