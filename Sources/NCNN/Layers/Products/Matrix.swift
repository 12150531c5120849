/// A matrix inside an array.
struct Matrix {
  let values: [Float]
  var start = 0
  var rows: Int
  var columns: Int
  /// The distance between neighbours in a column.
  var rowStep: Int
  /// The distance between neighbours in a row.
  var columnStep = 1

  var transposed: Matrix {
    Matrix(
      values: values, start: start, rows: columns, columns: rows, rowStep: columnStep,
      columnStep: rowStep)
  }

  /// A matrix whose rows lie in one piece, one after the other.
  init(_ values: [Float], start: Int = 0, rows: Int, columns: Int) {
    self.init(values: values, start: start, rows: rows, columns: columns, rowStep: columns)
  }

  private init(
    values: [Float], start: Int, rows: Int, columns: Int, rowStep: Int, columnStep: Int = 1
  ) {
    (self.values, self.start, self.rows, self.columns) = (values, start, rows, columns)
    (self.rowStep, self.columnStep) = (rowStep, columnStep)
  }

  /// A run of the columns.
  func columns(from first: Int, count: Int) -> Matrix {
    var part = self
    part.start += first * columnStep
    part.columns = count
    return part
  }

  subscript(row: Int, column: Int) -> Float {
    values[start + row * rowStep + column * columnStep]
  }

  /// `sums[i][j] + Σₖ self[i][k] · other[k][j]`, row by row; sums of 0 where none are given.
  func times(_ other: Matrix, plus sums: [Float]? = nil) -> [Float] {
    let width = other.columns
    var result = sums ?? [Float](repeating: 0, count: rows * width)
    let other = other.columnStep == 1 ? other : other.inOnePiece
    result.withUnsafeMutableBufferPointer { result in
      other.values.withUnsafeBufferPointer { others in
        for row in 0..<rows {
          let sums = UnsafeMutableBufferPointer(rebasing: result[row * width..<(row + 1) * width])
          for k in 0..<columns {
            let from = other.start + k * other.rowStep
            add(others[from..<from + width], times: self[row, k], to: sums)
          }
        }
      }
    }
    return result
  }

  /// sums[j] += numbers[j] · factor, in a loop without traps, which is compiled to vectors.
  func add(
    _ numbers: Swift.Slice<UnsafeBufferPointer<Float>>, times factor: Float,
    to sums: UnsafeMutableBufferPointer<Float>
  ) {
    let numbers = UnsafeBufferPointer(rebasing: numbers)
    for j in numbers.indices { sums[j] += factor * numbers[j] }
  }

  /// The steps of several products, which add up eight numbers at a time where the sides have as many.
  static func steps(_ count: Int, _ rows: Int, _ inner: Int, _ columns: Int) -> Int64 {
    work(count, 8, rows / 8 + 1, inner, columns / 8 + 1)
  }

  private var inOnePiece: Matrix {
    var copy: [Float] = []
    copy.reserveCapacity(rows * columns)
    for row in 0..<rows {
      for column in 0..<columns { copy.append(self[row, column]) }
    }
    return Matrix(copy, rows: rows, columns: columns)
  }
}

/// The product of sizes as steps of arithmetic, at most 2⁶⁰: more than a run may take.
func work(_ sizes: Int...) -> Int64 { work(sizes) }

/// The product of sizes as steps of arithmetic, at most 2⁶⁰.
func work(_ sizes: [Int]) -> Int64 {
  sizes.reduce(1) { product, size in
    let (value, overflow) = product.multipliedReportingOverflow(by: Int64(size))
    return overflow ? 1 << 60 : min(value, 1 << 60)
  }
}
