// SPDX-License-Identifier: Apache-2.0

/// Blobs of equal shape combined element by element.
struct Eltwise: SingleOutputKind, Hashable {
  /// In ncnn's order.
  enum Combination: CaseIterable { case product, sum, maximum }

  let combination: Combination
  /// Those of a sum; none where all are 1.
  let coefficients: [Float]

  init(_ reader: ParameterReader) throws(ModelError) {
    let coefficients = try reader.reals(1, "coeffs")
    combination = Combination.allCases[try reader.integer(0, "op_type", default: 0, in: 0...2)]
    self.coefficients = combination == .sum ? coefficients : []
  }

  var traits: LayerTraits { LayerTraits(inputs: 1...Int.max) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    // A file can name any number of blobs, and each takes a step.
    guard (2...16).contains(inputs), [0, inputs].contains(coefficients.count) else { return .plain }
    func arithmetic(_ input: Int) -> Lowering.Arithmetic {
      switch combination {
      case .product: .multiply
      case .maximum: .maximum
      case .sum where coefficients.isEmpty: .add
      case .sum: .weightedSum(first: input == 1 ? coefficients[0] : 1, second: coefficients[input])
      }
    }
    return .arithmetic(.input(0), (1..<inputs).map { (arithmetic($0), .input($0)) })
  }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs.allSatisfy({ $0 == inputs[0] }) else {
      throw .shape("shapes \(inputs)", expected: "equal shapes")
    }
    guard [0, inputs.count].contains(coefficients.count) else {
      throw .shape(
        "\(inputs.count) blobs and \(coefficients.count) coefficients",
        expected: "a coefficient for each blob")
    }
    return inputs[0]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    var result = coefficients.isEmpty ? inputs[0] : inputs[0].mapped { $0 * coefficients[0] }
    for (number, input) in inputs.enumerated().dropFirst() {
      for index in result.values.indices {
        let value = input.values[index]
        switch combination {
        case .product: result.values[index] *= value
        case .sum:
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
