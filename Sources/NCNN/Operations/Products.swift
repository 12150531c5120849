/// Parameters of Gemm: `alpha · (A · B + beta · C)`, where each matrix is an input or stored.
public struct Gemm: Hashable, Sendable {
  /// How the elements of C spread over the rows and columns of the product, numbered as in ncnn.
  public enum Spread: Int, Hashable, Sendable {
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
  public var alpha: Float
  /// The factor of C.
  public var beta: Float
  /// Whether A comes with its rows as columns.
  public var transposesA: Bool
  /// Whether B comes with its rows as columns.
  public var transposesB: Bool
  /// The shape of A as it is stored; nil for an input.
  public var storedA: [Int]?
  /// The shape of B as it is stored; nil for an input.
  public var storedB: [Int]?
  /// Whether C is no input: it is stored, or there is none.
  public var hasNoInputC: Bool
  /// How the stored C spreads, and its shape.
  public var storedC: (Spread, [Int])? { spread.map { ($0, shapeC) } }
  /// Whether the result's rows become columns.
  public var transposesResult: Bool
  /// Whether the result has three axes, the rows as channels of a single row.
  public var hasThreeAxes: Bool
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

  var traits: OperationTraits {
    let inputs = (storedA == nil ? 1 : 0) + (storedB == nil ? 1 : 0)
    let least = inputs == 0 && !hasNoInputC ? 1 : inputs
    let stored = [("A", storedA), ("B", storedB), ("C", storedC?.1)]
    var requests: [WeightRequest] = []
    for case (let name, let shape?) in stored {
      requests.append(WeightRequest(name, shape: shape, isTagged: true))
    }
    return OperationTraits(inputs: least...(inputs + (hasNoInputC ? 0 : 1)), weights: requests)
  }
}

/// Parameters of Einsum: a sum of products over named axes, as `ij,jk->ik`.
public struct Einsum: Hashable, Sendable {
  /// How many names there are, from i on.
  public static let nameCount = 8

  /// For each input, the number of the name of each axis, 0 for i.
  public var inputs: [[Int]]
  /// The numbers of the names of the result's axes; the products are added up along all others.
  public var output: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    let text = try reader.integers(0, "equation", in: 0...127)
    let parts = text.split(separator: Int(UInt8(ascii: ">")), omittingEmptySubsequences: false)
    func names(_ part: ArraySlice<Int>) -> [Int]? {
      let names = part.map { $0 - Int(UInt8(ascii: "i")) }
      let areKnown = names.allSatisfy((0..<Einsum.nameCount).contains)
      return (1...4).contains(names.count) && areKnown ? names : nil
    }
    let left = parts[0].dropLast().split(
      separator: Int(UInt8(ascii: ",")), omittingEmptySubsequences: false)
    let inputs = left.compactMap(names)
    guard parts.count == 2, parts[0].last == Int(UInt8(ascii: "-")), let output = names(parts[1]),
      inputs.count == left.count, Set(output).count == output.count,
      Set(inputs.joined()).isSuperset(of: output)
    else {
      throw reader.refusal(
        "the equation \(String(decoding: text.map { UInt8($0) }, as: UTF8.self))",
        expected: "axes named i to p such as ij,jk->ik, each of the result's in an input")
    }
    self.inputs = inputs
    self.output = output
  }
}
