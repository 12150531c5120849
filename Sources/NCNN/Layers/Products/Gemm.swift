/// Parameters of Gemm: `alpha · (A · B + beta · C)`, where each matrix is an input or stored.
struct Gemm: Hashable, Sendable {
  /// How the elements of C spread over the rows and columns of the product, numbered as in ncnn.
  enum Spread: Int, Hashable, Sendable {
    /// One element for all.
    case one = 0
    /// One for each row.
    case rows
    /// One for each row, as a column.
    case column
    /// One for each element.
    case all
    /// One for each column.
    case columns
  }

  /// The factor of the whole.
  var alpha: Float
  /// The factor of C.
  var beta: Float
  /// Whether A comes with its rows as columns.
  var transposesA: Bool
  /// Whether B comes with its rows as columns.
  var transposesB: Bool
  /// The shape of A as it is stored; nil for an input.
  var storedA: [Int]?
  /// The shape of B as it is stored; nil for an input.
  var storedB: [Int]?
  /// Whether C is no input: it is stored, or there is none.
  var hasNoInputC: Bool
  /// How the stored C spreads, and its shape.
  var storedC: (Spread, [Int])? { spread.map { ($0, shapeC) } }
  /// Whether the result's rows become columns.
  var transposesResult: Bool
  /// Whether the result has three axes, the rows as channels of a single row.
  var hasThreeAxes: Bool
  private var spread: Spread?
  private var shapeC: [Int] = []

  init(_ reader: ParameterReader) throws(ModelError) {
    try reader.requireUnused(18, "quantize_term")
    alpha = try reader.real(0, "alpha", default: 1)
    beta = try reader.real(1, "beta", default: 1)
    transposesA = try reader.flag(2, "transA")
    transposesB = try reader.flag(3, "transB")
    transposesResult = try reader.flag(14, "output_transpose")
    hasThreeAxes = try reader.flag(11, "output_N1M")
    let rows = try reader.integer(7, "constantM", default: 0)
    let columns = try reader.integer(8, "constantN", default: 0)
    let inner = try reader.integer(9, "constantK", default: 0)
    func stored(_ shape: [Int], isTransposed: Bool = false) throws(ModelError) -> [Int] {
      guard shape.allSatisfy({ $0 > 0 }),
        let count = checkedProduct(shape[0], shape.count > 1 ? shape[1] : 1),
        count <= Limits.integerParameter
      else {
        throw reader.refusal(
          "stored sizes \(rows), \(columns) and \(inner)", expected: "positive sizes that fit")
      }
      return isTransposed ? shape.reversed() : shape
    }
    if try reader.flag(4, "constantA") {
      storedA = try stored([rows, inner], isTransposed: transposesA)
    }
    if try reader.flag(5, "constantB") {
      storedB = try stored([inner, columns], isTransposed: transposesB)
    }
    hasNoInputC = try reader.flag(6, "constantC")
    guard hasNoInputC else { return }
    spread = Spread(
      rawValue: try reader.integer(10, "constant_broadcast_type_C", default: 0, in: -1...4))
    switch spread {
    case nil: break
    case .one: shapeC = [1]
    case .rows: shapeC = try stored([rows])
    case .column: shapeC = try stored([rows, 1])
    case .all: shapeC = try stored([rows, columns])
    case .columns: shapeC = try stored([1, columns])
    }
  }

  var traits: LayerTraits {
    let inputs = (storedA == nil ? 1 : 0) + (storedB == nil ? 1 : 0)
    let least = inputs == 0 && !hasNoInputC ? 1 : inputs
    let stored = [("A", storedA), ("B", storedB), ("C", storedC?.1)]
    var requests: [WeightRequest] = []
    for case (let name, let shape?) in stored {
      requests.append(WeightRequest(name, shape: shape, isTagged: true))
    }
    return LayerTraits(
      inputs: least...(inputs + (hasNoInputC ? 0 : 1)), weights: requests, fourAxes: .none)
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
