import NCNN

extension Reshape {
  /// The new sizes, with 0 and −1 resolved; 0 alone takes all elements.
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
    let total = input.reduce(1, *)
    if sizes == [0] { return [total] }
    var shape = sizes
    for index in shape.indices where shape[index] == 0 {
      // Axes go by their names: w is the innermost of the old and of the new shape; one that the
      // input lacks counts 1.
      let fromEnd = shape.count - 1 - index
      shape[index] = fromEnd < input.count ? input[input.count - 1 - fromEnd] : 1
    }
    if let open = shape.firstIndex(of: -1) {
      shape[open] = 1
      guard let known = elementCount(shape), total % known == 0 else { throw failure(input) }
      shape[open] = total / known
    }
    guard elementCount(shape) == total else { throw failure(input) }
    return shape
  }

  func apply(_ input: Tensor, shape: [Int]) -> Tensor { Tensor(shape, input.values) }

  private func failure(_ input: [Int]) -> InferenceError {
    InferenceError(
      .shape, found: "shape \(input) to be reshaped to \(sizes)", expected: "as many elements")
  }
}
