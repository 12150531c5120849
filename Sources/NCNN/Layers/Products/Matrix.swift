// SPDX-License-Identifier: Apache-2.0

/// A matrix inside an array.
package struct Matrix {
  package let values: [Float]
  package private(set) var start: Int
  package private(set) var rows, columns: Int
  /// The distances between neighbours in a column, and in a row.
  package private(set) var rowStep, columnStep: Int
  /// Whether the elements are weights, which no run changes.
  package let isStored: Bool

  /// A matrix whose rows, or columns where it is stored transposed, lie in one piece, one after the
  /// other.
  package init(
    _ values: [Float], start: Int = 0, rows: Int, columns: Int, isTransposed: Bool = false,
    isStored: Bool = false
  ) {
    (self.values, self.start, self.rows, self.columns) = (values, start, rows, columns)
    (rowStep, columnStep) = isTransposed ? (1, rows) : (columns, 1)
    self.isStored = isStored
  }

  var transposed: Matrix {
    var result = self
    (result.rows, result.columns) = (columns, rows)
    (result.rowStep, result.columnStep) = (columnStep, rowStep)
    return result
  }

  /// A run of the columns.
  func columns(from first: Int, count: Int) -> Matrix {
    var part = self
    part.start += first * columnStep
    part.columns = count
    return part
  }

  /// The elements, row by row.
  package var elements: [Float] {
    var elements: [Float] = []
    elements.reserveCapacity(rows * columns)
    for row in 0..<rows {
      for column in 0..<columns { elements.append(self[row, column]) }
    }
    return elements
  }

  private subscript(row: Int, column: Int) -> Float {
    values[start + row * rowStep + column * columnStep]
  }

  /// What a product with a matrix begins with, row by row: sums, of which a single row is meant for all; zeros where
  /// none are given.
  package func sums(_ other: Matrix, with sums: [Float]?) -> [Float] {
    guard let sums else { return [Float](repeating: 0, count: rows * other.columns) }
    return rows > 1 && sums.count == other.columns ? (0..<rows).flatMap { _ in sums } : sums
  }

  /// `sums[i][j] + Σₖ self[i][k] · other[k][j]`, row by row, from sums such as `sums(_:with:)` takes.
  package func times(_ other: Matrix, plus sums: [Float]? = nil) -> [Float] {
    let width = other.columns
    var result = self.sums(other, with: sums)
    if rows == 1 && other.rowStep == 1 {
      for column in 0..<width {
        for k in 0..<columns { result[column] += self[0, k] * other[k, column] }
      }
      return result
    }
    let other =
      other.columnStep == 1 ? other : Matrix(other.elements, rows: other.rows, columns: width)
    result.withUnsafeMutableBufferPointer { result in
      other.values.withUnsafeBufferPointer { others in
        for row in 0..<rows {
          let sums = UnsafeMutableBufferPointer(rebasing: result[row * width..<(row + 1) * width])
          for k in 0..<columns {
            let from = other.start + k * other.rowStep
            let numbers = UnsafeBufferPointer(rebasing: others[from..<from + width])
            let factor = self[row, k]
            // A loop without traps, which is compiled to vectors.
            for j in numbers.indices { sums[j] += factor * numbers[j] }
          }
        }
      }
    }
    return result
  }

  /// The steps of several products, which add up eight numbers at a time where the sides have as
  /// many.
  static func steps(_ count: Int, _ rows: Int, _ inner: Int, _ columns: Int) -> Int64 {
    product([count, 8, rows / 8 + 1, inner, columns / 8 + 1])
  }
}
