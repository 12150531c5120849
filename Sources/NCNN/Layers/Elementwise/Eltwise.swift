/// Parameters of Eltwise: blobs of equal shape combined element by element.
struct Eltwise: Hashable, Sendable {
  /// How the elements are combined.
  enum Combination: Hashable, Sendable {
    /// Their product.
    case product
    /// Their sum, each multiplied by its coefficient; without coefficients, all are 1.
    case sum(coefficients: [Float])
    /// The largest.
    case maximum
  }

  /// How the elements are combined.
  var combination: Combination

  init(_ reader: ParameterReader) throws(ModelError) {
    let coefficients = try reader.reals(1, "coeffs")
    combination =
      switch try reader.integer(0, "op_type", default: 0, in: 0...2) {
      case 0: .product
      case 1: .sum(coefficients: coefficients)
      default: .maximum
      }
  }
}

extension Eltwise: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(inputs: 1...Int.max) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    // A file can name any number of blobs, and each takes a step.
    guard (2...16).contains(inputs) else { return .plain }
    let arithmetic: [Lowering.Arithmetic]
    switch combination {
    case .product: arithmetic = Array(repeating: .multiply, count: inputs - 1)
    case .maximum: arithmetic = Array(repeating: .maximum, count: inputs - 1)
    case .sum(coefficients: []): arithmetic = Array(repeating: .add, count: inputs - 1)
    case .sum(let factors):
      guard factors.count == inputs else { return .plain }
      arithmetic = (1..<inputs).map {
        .weightedSum(first: $0 == 1 ? factors[0] : 1, second: factors[$0])
      }
    }
    return .arithmetic(
      .input(0), arithmetic.enumerated().map { ($0.element, .input($0.offset + 1)) })
  }

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
