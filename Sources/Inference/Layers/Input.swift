import NCNN

extension DeclaredShape {
  /// The shape that the caller gives for a blob, or else the declared one.
  func outputShape(of name: String, given: [String: [Int]]) throws(InferenceError) -> [Int] {
    let shape = given[name] ?? sizes
    guard !shape.isEmpty else {
      throw InferenceError(.input, found: "no shape for the input \(name)", expected: "one")
    }
    return shape
  }
}

/// The tensor that the caller gives for a blob.
func inputTensor(_ name: String, given: [String: Tensor]) -> Tensor {
  guard let tensor = given[name] else { preconditionFailure("the schedule has required it") }
  return tensor
}
