// SPDX-License-Identifier: Apache-2.0

/// The product of matrices, of which those of blobs with more than two axes are many; the right
/// ones may come transposed.
struct MatMul: RowKind, Hashable {
  let isTransposed: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    isTransposed = try reader.flag(0, "transB")
  }

  var traits: LayerTraits { LayerTraits(inputs: 2...2) }

  /// A single axis is a row on the left and a column on the right, and missing in the result. Outer
  /// axes must be equal or 1.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (outer, rows, _, columns) = try sizes(inputs)
    let shape = outer + (inputs[0].count > 1 ? [rows] : []) + (inputs[1].count > 1 ? [columns] : [])
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
    guard inner == b[b.count - 2], outer.allSatisfy({ $0 == $1 || $0 == 1 || $1 == 1 }) else {
      throw .shape(
        "shapes \(inputs[0]) and \(inputs[1])\(isTransposed ? ", transposed" : "")",
        expected: "as many columns as rows, and outer sizes equal or 1")
    }
    return (outer.map { max($0, $1) }, rows, inner, columns)
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int], by arithmetic: RowArithmetic
  ) throws(InferenceError) -> Tensor {
    let (a, b) = (inputs[0], inputs[1])
    let (outer, rows, inner, columns) = try sizes([a.shape, b.shape])
    let starts = zip(
      starts(a.shape, outer, size: rows * inner), starts(b.shape, outer, size: inner * columns))
    return Tensor(appending: shape) { values in
      for (aStart, bStart) in starts {
        let left = Matrix(a.values, start: aStart, rows: rows, columns: inner)
        let right = Matrix(
          b.values, start: bStart, rows: inner, columns: columns,
          isTransposed: isTransposed && b.shape.count > 1)
        values += arithmetic.multiply(left, right, nil)
      }
    }
  }

  /// Where the matrices of a blob begin, for each of the result's.
  private func starts(_ shape: [Int], _ outer: [Int], size: Int) -> [Int] {
    let own = shape.dropLast(2)
    let sizes = [Int](repeating: 1, count: outer.count - own.count) + own
    var step = sizes.reduce(size, *)
    var starts = [0]
    for (size, count) in zip(sizes, outer) {
      step /= size
      starts = starts.flatMap { start in (0..<count).map { start + (size == 1 ? 0 : $0 * step) } }
    }
    return starts
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    guard let (outer, rows, inner, columns) = try? sizes(inputs) else { return Cost() }
    let count = outer.reduce(1, *)
    return Cost(
      steps: Matrix.steps(count, rows, inner, columns),
      multiplyAdds: product([count, rows, inner, columns]), scratchElements: product(inputs[1]))
  }
}
