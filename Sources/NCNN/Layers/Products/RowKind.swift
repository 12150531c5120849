// SPDX-License-Identifier: Apache-2.0

/// The arithmetic on rows of numbers that a layer leaves to whoever runs it: the interpreter's, or the kernels'.
package struct RowArithmetic {
  /// The product of two matrices, row by row, added to numbers if there are any: one row of them is added to all.
  package var multiply: (_ left: Matrix, _ right: Matrix, _ sums: [Float]?) -> [Float]
  /// Replaces each number by a function of it.
  package var map: (_ function: Lowering.Function, _ numbers: inout [Float]) -> Void

  package init(
    multiply: @escaping (_ left: Matrix, _ right: Matrix, _ sums: [Float]?) -> [Float],
    map: @escaping (_ function: Lowering.Function, _ numbers: inout [Float]) -> Void
  ) {
    self.multiply = multiply
    self.map = map
  }

  /// The interpreter's.
  static var plain: RowArithmetic {
    RowArithmetic(multiply: { $0.times($1, plus: $2) }) { function, numbers in
      for index in numbers.indices { numbers[index] = function.value(numbers[index]) }
    }
  }
}

/// A kind whose work is arithmetic on rows.
protocol RowKind: SingleOutputKind {
  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int], by arithmetic: RowArithmetic
  ) throws(InferenceError) -> Tensor
}

extension RowKind {
  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .rows { (inputs, shapes, arithmetic) throws(InferenceError) in
      [try apply(inputs, weights: weights, shape: shapes[0], by: arithmetic)]
    }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    try apply(inputs, weights: weights, shape: shape, by: .plain)
  }
}
