import LibC

func softmaxShape(_ input: [Int], axis: Int) throws(InferenceError) -> [Int] {
  _ = try resolvedAxis(axis, of: input)
  return input
}

/// Exponentials divided by their sum along an axis; the largest element is subtracted first, so
/// that none overflows.
func softmax(_ input: Tensor, axis: Int) throws(InferenceError) -> Tensor {
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
