import NCNN

extension DeclaredShape: SingleOutputKind {
  /// The input's shape as the caller gives it, or else the declared one.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let shape = inputs.first ?? sizes
    guard !shape.isEmpty else {
      throw InferenceError(.input, found: "no shape for the input", expected: "a shape")
    }
    return shape
  }

  /// What the caller gives as an input.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor { inputs[0] }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { Cost() }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    output.count > 1 ? .pixels : .wholeInput
  }
}

extension MemoryData: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) -> [Int] { sizes }

  /// The stored elements.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(sizes, weights[0])
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .nothing }
}
