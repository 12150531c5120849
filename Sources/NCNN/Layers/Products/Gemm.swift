// SPDX-License-Identifier: Apache-2.0

/// alpha · (A · B + beta · C), where each matrix is an input or stored, and C may be missing.
///
/// A is rows × inner and B inner × columns; both, and the result, may be transposed. Weights: those
/// of A, B and C that are stored.
struct Gemm: RowKind, Hashable {
  /// How the elements of C spread over the rows and columns of the product, in ncnn's order.
  enum Spread: CaseIterable {
    case one, rows, column, all, columns

    func shape(_ rows: Int, _ columns: Int) -> [Int] {
      switch self {
      case .one: [1]
      case .rows: [rows]
      case .column: [rows, 1]
      case .all: [rows, columns]
      case .columns: [1, columns]
      }
    }
  }

  let alpha, beta: Float
  let transposesA, transposesB, transposesResult: Bool
  /// Whether the result has three axes, the rows as channels of a single row.
  let hasThreeAxes: Bool
  /// The shapes as they are stored; nil for an input.
  let storedA, storedB: [Int]?
  /// Whether C is no input: it is stored, or there is none.
  let hasNoInputC: Bool
  /// Of a C that is stored.
  let spread: Spread?
  let storedC: [Int]?

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
      guard let count = elementCount(shape), count <= Limits.integerParameter else {
        throw reader.refusal(
          "stored sizes \(rows), \(columns) and \(inner)", expected: "positive sizes that fit")
      }
      return isTransposed ? shape.reversed() : shape
    }
    storedA =
      try reader.flag(4, "constantA") ? try stored([rows, inner], isTransposed: transposesA) : nil
    storedB =
      try reader.flag(5, "constantB")
      ? try stored([inner, columns], isTransposed: transposesB) : nil
    hasNoInputC = try reader.flag(6, "constantC")
    let number =
      hasNoInputC ? try reader.integer(10, "constant_broadcast_type_C", default: 0, in: -1...4) : -1
    spread = number < 0 ? nil : Spread.allCases[number]
    storedC = if let spread { try stored(spread.shape(rows, columns)) } else { nil }
  }

  var traits: LayerTraits {
    let inputs = (storedA == nil ? 1 : 0) + (storedB == nil ? 1 : 0)
    let least = inputs == 0 && !hasNoInputC ? 1 : inputs
    // C may be a mask.
    let arrays = [("A", storedA, false), ("B", storedB, false), ("C", storedC, true)]
    let weights = arrays.compactMap { name, shape, isMask in
      shape.map { WeightRequest(name: name, shape: $0, isTagged: true, areConstants: isMask) }
    }
    return LayerTraits(
      inputs: least...(inputs + (hasNoInputC ? 0 : 1)), weights: weights, fourAxes: nil)
  }

  /// Rows × columns, or columns × rows, perhaps with an axis of 1 between them.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (a, b, c) = sides(inputs)
    let (rows, columns) = (a[0], b[1])
    guard a[1] == b[0], inputs.allSatisfy({ $0.count < 3 || $0[1] == 1 }),
      c.map({ spread(of: $0, rows, columns) != nil }) ?? true,
      spread?.shape(rows, columns) == storedC
    else {
      throw .shape(
        "matrices of \(a) and \(b)" + (c.map { ", and \($0)" } ?? ""),
        expected: "as many columns as rows, and one element, row, column or matrix to add")
    }
    let sides = transposesResult ? [columns, rows] : [rows, columns]
    return hasThreeAxes ? [sides[0], 1, sides[1]] : sides
  }

  /// Rows and columns of A and B, and the shape of a C that is an input.
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

  /// How an input C spreads over rows and columns; nil where it does not.
  private func spread(of shape: [Int], _ rows: Int, _ columns: Int) -> Spread? {
    if shape == [columns] { return .columns }
    return Spread.allCases.first { $0.shape(rows, columns) == shape }
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int], by arithmetic: RowArithmetic
  ) -> Tensor {
    let sides = sides(inputs.map { $0.shape })
    let (rows, inner, columns) = (sides.a[0], sides.b[0], sides.b[1])
    var (rest, stored) = (inputs.map { $0.values }[...], weights[...])
    let a = Matrix(
      (storedA == nil ? rest.popFirst() : stored.popFirst()) ?? [], rows: rows, columns: inner,
      isTransposed: transposesA)
    let b = Matrix(
      (storedB == nil ? rest.popFirst() : stored.popFirst()) ?? [], rows: inner, columns: columns,
      isTransposed: transposesB, isStored: storedB != nil)
    let c = (hasNoInputC ? stored.first : rest.first) ?? []
    var sums = [Float](repeating: 0, count: rows * columns)
    if let spread = spread ?? sides.c.flatMap({ spread(of: $0, rows, columns) }) {
      for index in sums.indices {
        let (row, column) = index.quotientAndRemainder(dividingBy: columns)
        switch spread {
        case .one: sums[index] = beta * c[0]
        case .rows, .column: sums[index] = beta * c[row]
        case .columns: sums[index] = beta * c[column]
        case .all: sums[index] = beta * c[index]
        }
      }
    }
    var values = arithmetic.multiply(a, b, sums)
    if alpha != 1 { values = values.map { $0 * alpha } }
    let result = Matrix(values, rows: rows, columns: columns)
    return Tensor(shape, transposesResult ? result.transposed.elements : values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let (a, b, _) = sides(inputs)
    return Cost(
      steps: Matrix.steps(1, a[0], a[1], b[1]), multiplyAdds: product([a[0], a[1], b[1]]),
      scratchElements: product([b[0], b[1]]) + 2 * product(output))
  }
}
