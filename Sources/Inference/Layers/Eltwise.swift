import NCNN

extension Eltwise: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs.allSatisfy({ $0 == inputs[0] }) else {
      throw InferenceError(.shape, found: "shapes \(inputs)", expected: "equal shapes")
    }
    if case .sum(let coefficients) = combination, !coefficients.isEmpty,
      coefficients.count != inputs.count
    {
      throw InferenceError(
        .shape, found: "\(inputs.count) blobs and \(coefficients.count) coefficients",
        expected: "a coefficient for each blob")
    }
    return inputs[0]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    var result = inputs[0]
    if case .sum(let coefficients) = combination, let first = coefficients.first {
      result = result.mapped { $0 * first }
    }
    for (number, input) in inputs.enumerated().dropFirst() {
      for index in result.values.indices {
        let value = input.values[index]
        switch combination {
        case .product: result.values[index] *= value
        case .sum(let coefficients):
          result.values[index] += coefficients.isEmpty ? value : value * coefficients[number]
        case .maximum: result.values[index] = max(result.values[index], value)
        }
      }
    }
    return result
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: output, steps: Int64(inputs.count))
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .joined }
}
