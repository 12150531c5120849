import NCNN

extension Permute {
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
    try sources(axes: input.count).map { input[$0] }
  }

  /// For each axis of the result, the outermost first, the axis of the input that it comes from.
  private func sources(axes: Int) throws(InferenceError) -> [Int] {
    switch (axes, order) {
    case (1, _), (2, 0), (3, 0): return Array(0..<axes)
    case (2, 1): return [1, 0]
    case (3, 1): return [0, 2, 1]
    case (3, 2): return [1, 0, 2]
    case (3, 3): return [1, 2, 0]
    case (3, 4): return [2, 0, 1]
    case (3, 5): return [2, 1, 0]
    default:
      throw InferenceError(
        .shape, found: "order \(order) of \(axes) axes",
        expected: "0 or 1 for two axes, 0 to 5 for three")
    }
  }

  /// The input with its axes in the new order.
  func apply(_ input: Tensor, shape: [Int]) -> Tensor {
    guard let sources = try? sources(axes: input.shape.count) else {
      preconditionFailure("the shape has been inferred")
    }
    var inputStrides = [Int](repeating: 1, count: input.shape.count)
    for axis in input.shape.indices.dropLast().reversed() {
      inputStrides[axis] = inputStrides[axis + 1] * input.shape[axis + 1]
    }
    let padding = 3 - shape.count
    let sizes = Array(repeating: 1, count: padding) + shape
    let strides = Array(repeating: 0, count: padding) + sources.map { inputStrides[$0] }
    var values: [Float] = []
    values.reserveCapacity(input.values.count)
    for c in 0..<sizes[0] {
      for y in 0..<sizes[1] {
        let start = c * strides[0] + y * strides[1]
        for x in 0..<sizes[2] { values.append(input.values[start + x * strides[2]]) }
      }
    }
    return Tensor(shape, values)
  }
}
