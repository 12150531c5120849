/// A kind for rows and columns applied to rows of numbers: H × W stands for H × 1 × W.
struct AlongRows<Kind: SingleOutputKind>: SingleOutputKind {
  let kind: Kind

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs[0].count == 2 else {
      throw InferenceError(.shape, found: "shape \(inputs[0])", expected: "two axes")
    }
    let shape = try kind.outputShape([raised(inputs[0])])
    return shape.count == 3 ? [shape[0], shape[2]] : shape
  }

  private func raised(_ shape: [Int]) -> [Int] {
    shape.count == 2 ? [shape[0], 1, shape[1]] : shape
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let input = Tensor(raised(inputs[0].shape), inputs[0].values)
    return Tensor(shape, try kind.apply([input], weights: weights, shape: raised(shape)).values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    kind.cost(inputs: [raised(inputs[0])], output: raised(output))
  }
}
