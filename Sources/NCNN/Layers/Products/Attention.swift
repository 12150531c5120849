// SPDX-License-Identifier: Apache-2.0

/// softmax(queries · keysᵀ · scale + mask) · values, row by row.
func attention(
  _ queries: Matrix, _ keys: Matrix, _ values: Matrix, scale: Float, mask: ArraySlice<Float>?,
  by arithmetic: RowArithmetic
) -> [Float] {
  var weights = arithmetic.multiply(queries, keys.transposed, nil)
  for index in weights.indices { weights[index] *= scale }
  if let mask { for (index, value) in zip(weights.indices, mask) { weights[index] += value } }
  weights.softmax(size: keys.rows, step: 1, by: arithmetic)
  let factors = Matrix(weights, rows: queries.rows, columns: keys.rows)
  return arithmetic.multiply(factors, values, nil)
}

/// Refuses a mask that is neither one for all heads nor one for each.
func requireMask(_ shape: [Int], heads: Int, rows: Int, columns: Int) throws(InferenceError) {
  guard [[rows, columns], [heads, rows, columns], [1, rows, columns]].contains(shape) else {
    throw .shape(
      "a mask of \(shape)", expected: "\(rows) × \(columns), or as many for each of \(heads) heads")
  }
}

extension Tensor {
  /// A head's matrix of heads × rows × numbers.
  func matrix(head: Int = 0) -> Matrix {
    Matrix(values, start: head * rows * columns, rows: rows, columns: columns)
  }

  /// A mask's elements for a head.
  func mask(head: Int, count: Int) -> ArraySlice<Float> {
    let start = values.count > count ? head * count : 0
    return values[start..<start + count]
  }
}
