/// The product of matrices, of which those of blobs with more than two axes are many.
struct MatMul: SingleOutputKind, Hashable {
  let isTransposed: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    isTransposed = try reader.flag(0, "transB")
  }

  var traits: LayerTraits { LayerTraits(inputs: 2...2) }

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
