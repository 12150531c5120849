import LibC
import NCNN

/// softmax(queries · keysᵀ · scale + mask) · values, row by row.
private func attention(
  _ queries: Matrix, _ keys: Matrix, _ values: Matrix, scale: Float, mask: ArraySlice<Float>?
) -> [Float] {
  var weights = queries.times(keys.transposed).map { $0 * scale }
  if let mask { for (index, value) in zip(weights.indices, mask) { weights[index] += value } }
  for start in stride(from: 0, to: weights.count, by: keys.rows) {
    let row = start..<start + keys.rows
    let largest = weights[row].reduce(-Float.greatestFiniteMagnitude) { max($0, $1) }
    var sum: Float = 0
    for index in row {
      weights[index] = exp(weights[index] - largest)
      sum += weights[index]
    }
    for index in row { weights[index] /= sum }
  }
  return Matrix(weights, rows: queries.rows, columns: keys.rows).times(values)
}

/// Refuses a mask that is neither one for all heads nor one for each.
private func requireMask(
  _ shape: [Int], heads: Int, rows: Int, columns: Int
) throws(InferenceError) {
  guard
    shape == [rows, columns] || shape == [heads, rows, columns] || shape == [1, rows, columns]
  else {
    throw InferenceError(
      .shape, found: "a mask of \(shape)",
      expected: "\(rows) × \(columns), or as many for each of \(heads) heads")
  }
}

extension Tensor {
  /// A mask's elements for a head.
  fileprivate func mask(head: Int, count: Int) -> ArraySlice<Float> {
    let start = values.count > count ? head * count : 0
    return values[start..<start + count]
  }
}

extension MultiHeadAttention: SingleOutputKind {
  /// Rows × `queryWidth`.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (q, k, v) = rows(inputs)
    guard q.count == 2, k.count == 2, v.count == 2, q[1] == queryWidth, k[1] == keyWidth,
      v[1] == valueWidth, k[0] == v[0]
    else {
      throw InferenceError(
        .shape, found: "shapes \(inputs)",
        expected: "rows of \(queryWidth), \(keyWidth) and \(valueWidth), as many keys as values")
    }
    if hasMask, let mask = inputs.last {
      try requireMask(mask, heads: heads, rows: q[0], columns: k[0])
    }
    return [q[0], queryWidth]
  }

  /// Queries, keys and values among the inputs.
  private func rows<Input>(_ inputs: [Input]) -> (Input, Input, Input) {
    let count = inputs.count - (hasMask ? 1 : 0)
    return (inputs[0], inputs[min(1, count - 1)], inputs[count - 1])
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    func projected(_ values: [Float], _ rows: Int, _ number: Int, from: Int, to: Int) -> Matrix {
      let sums = (0..<rows).flatMap { _ in weights[2 * number + 1] }
      let matrix = Matrix(weights[2 * number], rows: to, columns: from).transposed
      let product = Matrix(values, rows: rows, columns: from).times(matrix, plus: sums)
      return Matrix(product, rows: rows, columns: to)
    }
    let (q, k, v) = rows(inputs)
    let queries = projected(q.values, q.rows, 0, from: queryWidth, to: width)
    let keys = projected(k.values, k.rows, 1, from: keyWidth, to: width)
    let values = projected(v.values, v.rows, 2, from: valueWidth, to: width)
    let size = width / heads
    var joined = [Float](repeating: 0, count: q.rows * width)
    for head in 0..<heads {
      func part(_ matrix: Matrix) -> Matrix { matrix.columns(from: head * size, count: size) }
      let mask = hasMask ? inputs.last?.mask(head: head, count: q.rows * k.rows) : nil
      let result = attention(part(queries), part(keys), part(values), scale: scale, mask: mask)
      for (index, value) in result.enumerated() {
        joined[index / size * width + head * size + index % size] = value
      }
    }
    return Tensor(shape, projected(joined, q.rows, 3, from: width, to: queryWidth).values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let (q, k, _) = rows(inputs)
    let projections =
      work(q[0], width, 2 * queryWidth) + work(k[0], width, keyWidth)
      + work(k[0], width, valueWidth)
    let products = work(q[0], k[0], 2 * width)
    let size = width / heads
    let steps =
      Matrix.steps(1, q[0], queryWidth, width) + Matrix.steps(1, q[0], width, queryWidth)
      + Matrix.steps(1, k[0], keyWidth, width) + Matrix.steps(1, k[0], valueWidth, width)
      + Matrix.steps(heads, q[0], size, k[0]) + Matrix.steps(heads, q[0], k[0], size)
    return Cost(
      steps: steps + work(q[0], k[0], heads, Int(Cost.exponential)),
      multiplyAdds: min(projections + products, 1 << 60),
      scratchElements: work(q[0], 4 * width) + work(k[0], 4 * width) + 2 * work(q[0], k[0])
        + work(width, max(queryWidth, keyWidth, valueWidth)))
  }
}

extension DotProductAttention: SingleOutputKind {
  /// Heads × rows × numbers of a value; a head of keys and values may serve several of queries.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (q, k, v) = (inputs[0], inputs[1], inputs[2])
    guard [q, k, v].allSatisfy({ $0.count == 3 }), q[2] == k[2], k[1] == v[1], k[0] == v[0],
      q[0] % k[0] == 0
    else {
      throw InferenceError(
        .shape, found: "shapes \(inputs)",
        expected: "heads × rows × numbers, as many values as keys, of numbers as the queries'")
    }
    if hasMask { try requireMask(inputs[3], heads: q[0], rows: q[1], columns: k[1]) }
    return [q[0], q[1], v[2]]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let q = inputs[0].shape
    let scale = scale ?? 1 / Float(q[2]).squareRoot()
    let shared = q[0] / inputs[1].shape[0]
    func matrix(_ input: Tensor, _ head: Int) -> Matrix {
      let (rows, columns) = (input.shape[1], input.shape[2])
      return Matrix(input.values, start: head * rows * columns, rows: rows, columns: columns)
    }
    return Tensor(
      shape,
      (0..<q[0]).flatMap { head in
        attention(
          matrix(inputs[0], head), matrix(inputs[1], head / shared),
          matrix(inputs[2], head / shared), scale: scale,
          mask: hasMask ? inputs[3].mask(head: head, count: q[1] * inputs[1].shape[1]) : nil)
      })
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let (q, k, v) = (inputs[0], inputs[1], inputs[2])
    let products = work(q[0], q[1], k[1], q[2] + v[2])
    return Cost(
      steps: Matrix.steps(q[0], q[1], q[2], k[1]) + Matrix.steps(q[0], q[1], k[1], v[2])
        + work(q[0], q[1], k[1], Int(Cost.exponential)), multiplyAdds: products,
      scratchElements: 2 * work(q[1], k[1]) + work(k[1], max(k[2], v[2])))
  }
}
