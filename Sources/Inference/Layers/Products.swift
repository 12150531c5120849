import LibC
import NCNN

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
  private func add(
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

/// The product of matrices, of which those of blobs with more than two axes are many.
struct MatMul: SingleOutputKind {
  let isTransposed: Bool

  /// A single axis is a row on the left and a column on the right, and missing in the result. Outer
  /// axes must be equal or 1.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let sizes = try sizes(inputs)
    let sides =
      (inputs[0].count > 1 ? [sizes.rows] : []) + (inputs[1].count > 1 ? [sizes.columns] : [])
    let shape = sizes.outer + sides
    return shape.isEmpty ? [1] : shape
  }

  private func sizes(
    _ inputs: [[Int]]
  ) throws(InferenceError) -> (outer: [Int], rows: Int, inner: Int, columns: Int) {
    let a = inputs[0].count == 1 ? [1] + inputs[0] : inputs[0]
    var b = inputs[1].count == 1 ? inputs[1] + [1] : inputs[1]
    if isTransposed && inputs[1].count > 1 { b.swapAt(b.count - 1, b.count - 2) }
    let (rows, inner, columns) = (a[a.count - 2], a[a.count - 1], b[b.count - 1])
    let count = max(a.count, b.count) - 2
    let ones = { (axes: Int) in [Int](repeating: 1, count: count + 2 - axes) }
    let outer = zip(ones(a.count) + a.dropLast(2), ones(b.count) + b.dropLast(2))
    guard inner == b[b.count - 2],
      outer.allSatisfy({ $0 == $1 || $0 == 1 || $1 == 1 })
    else {
      throw InferenceError(
        .shape, found: "shapes \(inputs[0]) and \(inputs[1])\(isTransposed ? ", transposed" : "")",
        expected: "as many columns as rows, and outer sizes equal or 1")
    }
    return (outer.map { max($0, $1) }, rows, inner, columns)
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let sizes = try sizes(inputs.map { $0.shape })
    let (rows, inner, columns) = (sizes.rows, sizes.inner, sizes.columns)
    let (a, b) = (inputs[0], inputs[1])
    let isFlipped = isTransposed && b.shape.count > 1
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    let places = (
      outerPlaces(a.shape, of: sizes.outer, size: rows * inner),
      outerPlaces(b.shape, of: sizes.outer, size: inner * columns)
    )
    for (start, otherStart) in zip(places.0, places.1) {
      let first = Matrix(a.values, start: start, rows: rows, columns: inner)
      let second =
        isFlipped
        ? Matrix(b.values, start: otherStart, rows: columns, columns: inner).transposed
        : Matrix(b.values, start: otherStart, rows: inner, columns: columns)
      values += first.times(second)
    }
    return Tensor(shape, values)
  }

  /// Where the matrices of a blob begin, for each of the result's.
  private func outerPlaces(_ shape: [Int], of outer: [Int], size: Int) -> [Int] {
    let own = shape.dropLast(2)
    let sizes = [Int](repeating: 1, count: outer.count - own.count) + own
    var step = sizes.reduce(size, *)
    var places = [0]
    for (size, count) in zip(sizes, outer) {
      step /= size
      places = places.flatMap { place in (0..<count).map { place + (size == 1 ? 0 : $0 * step) } }
    }
    return places
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    guard let (outer, rows, inner, columns) = try? sizes(inputs) else { return Cost() }
    let count = outer.reduce(1, *)
    return Cost(
      steps: Matrix.steps(count, rows, inner, columns),
      multiplyAdds: work(count, rows, inner, columns), scratchElements: product(inputs[1]))
  }
}

extension Gemm: SingleOutputKind {
  /// Rows × columns, or columns × rows, perhaps with an axis of 1 between them.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (a, b, c) = sides(inputs)
    let (rows, columns) = (a[0], b[1])
    guard a[1] == b[0], inputs.allSatisfy({ $0.count < 3 || $0[1] == 1 }),
      c.map({ spread(of: $0, rows, columns) != nil }) ?? true,
      storedC.map({ fits($0, rows, columns) }) ?? true
    else {
      throw InferenceError(
        .shape, found: "matrices of \(a) and \(b)" + (c.map { ", and \($0)" } ?? ""),
        expected: "as many columns as rows, and one element, row, column or matrix to add")
    }
    let sides = transposesResult ? [columns, rows] : [rows, columns]
    return hasThreeAxes ? [sides[0], 1, sides[1]] : sides
  }

  /// Rows and columns of A and B, and the shape of C.
  private func sides(_ inputs: [[Int]]) -> (a: [Int], b: [Int], c: [Int]?) {
    func sides(_ shape: [Int], _ isTransposed: Bool) -> [Int] {
      // Of three axes, the rows are channels of one row each.
      let rows = shape.count == 1 ? 1 : shape[0]
      let columns = shape.dropFirst(shape.count == 1 ? 0 : 1).reduce(1, *)
      return isTransposed ? [columns, rows] : [rows, columns]
    }
    var rest = inputs[...]
    let a = storedA ?? rest.popFirst() ?? []
    let b = storedB ?? rest.popFirst() ?? []
    return (sides(a, transposesA), sides(b, transposesB), hasNoInputC ? nil : rest.first)
  }

  /// Whether a stored C has an element for each row and column.
  private func fits(_ stored: (Spread, [Int]), _ rows: Int, _ columns: Int) -> Bool {
    switch stored.0 {
    case .one: true
    case .rows: stored.1 == [rows]
    case .column: stored.1 == [rows, 1]
    case .all: stored.1 == [rows, columns]
    case .columns: stored.1 == [1, columns]
    }
  }

  /// How an input C spreads over rows and columns; nil where it does not.
  private func spread(of shape: [Int], _ rows: Int, _ columns: Int) -> Spread? {
    switch shape {
    case [columns]: .columns
    case [rows]: .rows
    case [1]: .one
    case [1, columns]: .columns
    case [rows, columns]: .all
    case [rows, 1]: .column
    default: nil
    }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let sides = sides(inputs.map { $0.shape })
    var (rest, stored) = (inputs[...], weights[...])
    func matrix(_ isStored: Bool, _ sides: [Int], _ isTransposed: Bool) -> Matrix {
      let values = (isStored ? stored.popFirst() : rest.popFirst()?.values) ?? []
      return isTransposed
        ? Matrix(values, rows: sides[1], columns: sides[0]).transposed
        : Matrix(values, rows: sides[0], columns: sides[1])
    }
    let a = matrix(storedA != nil, sides.a, transposesA)
    let b = matrix(storedB != nil, sides.b, transposesB)
    let added = storedC?.0 ?? sides.c.flatMap { spread(of: $0, a.rows, b.columns) }
    let c = (hasNoInputC ? stored.first : rest.first?.values) ?? []
    var sums = [Float](repeating: 0, count: a.rows * b.columns)
    if let added {
      for index in sums.indices {
        let (row, column) = index.quotientAndRemainder(dividingBy: b.columns)
        switch added {
        case .one: sums[index] = beta * c[0]
        case .rows, .column: sums[index] = beta * c[row]
        case .columns: sums[index] = beta * c[column]
        case .all: sums[index] = beta * c[index]
        }
      }
    }
    let values = a.times(b, plus: sums).map { $0 * alpha }
    guard transposesResult else { return Tensor(shape, values) }
    let result = Matrix(values, rows: a.rows, columns: b.columns)
    return Tensor(
      shape, (0..<b.columns).flatMap { column in (0..<a.rows).map { result[$0, column] } })
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let (a, b, _) = sides(inputs)
    return Cost(
      steps: Matrix.steps(1, a[0], a[1], b[1]), multiplyAdds: work(a[0], a[1], b[1]),
      scratchElements: work(b[0], b[1]) + 2 * product(output))
  }
}
