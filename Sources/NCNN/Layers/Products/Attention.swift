/// softmax(queries · keysᵀ · scale + mask) · values, row by row.
func attention(
  _ queries: Matrix, _ keys: Matrix, _ values: Matrix, scale: Float, mask: ArraySlice<Float>?
) -> [Float] {
  var weights = queries.times(keys.transposed).map { $0 * scale }
  if let mask { for (index, value) in zip(weights.indices, mask) { weights[index] += value } }
  for start in stride(from: 0, to: weights.count, by: keys.rows) {
    weights.softmax(stride(from: start, to: start + keys.rows, by: 1))
  }
  return Matrix(weights, rows: queries.rows, columns: keys.rows).times(values)
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
