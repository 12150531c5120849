// SPDX-License-Identifier: Apache-2.0

/// softmax(queries · keysᵀ · scale + mask) · values in each head, of projected inputs; the heads
/// side by side are projected again (Vaswani et al., 2017).
///
/// Inputs are rows of queries, keys and values, of which the last given one stands for those that
/// are missing, and perhaps the mask. Weights: for queries, keys, values and result, a matrix,
/// transposed, and a bias.
struct MultiHeadAttention: RowKind, Hashable {
  /// The numbers of a row of all heads together.
  let width: Int
  let heads: Int
  /// The numbers of a row of the queries and of the result.
  let queryWidth: Int
  let keyWidth, valueWidth: Int
  let hasMask: Bool
  let scale: Float

  init(_ reader: ParameterReader) throws(ModelError) {
    try reader.requireUnused(7, "kv_cache")
    try reader.requireUnused(18, "quantize_term")
    width = try reader.size(0, "embed_dim")
    heads = try reader.size(1, "num_heads", default: 1)
    let count = try reader.size(2, "weight_data_size")
    keyWidth = try reader.size(3, "kdim", default: width)
    valueWidth = try reader.size(4, "vdim", default: width)
    hasMask = try reader.flag(5, "attn_mask")
    guard width % heads == 0, count % width == 0,
      let largest = checkedProduct(width, max(keyWidth, valueWidth)),
      largest <= Limits.integerParameter
    else {
      throw reader.refusal(
        "embed_dim \(width), num_heads \(heads) and weight_data_size \(count)",
        expected: "heads of equal size, and rows of embed_dim weights that fit")
    }
    queryWidth = count / width
    scale = try reader.real(6, "scale", default: 1 / Float(width / heads).squareRoot())
  }

  var traits: LayerTraits {
    let arrays = [
      ("query", width, queryWidth), ("key", width, keyWidth), ("value", width, valueWidth),
      ("result", queryWidth, width),
    ]
    let masks = hasMask ? 1 : 0
    return LayerTraits(
      inputs: 1 + masks...3 + masks,
      weights: arrays.flatMap { name, rows, columns in
        [
          WeightRequest(name: "\(name) weights", shape: [rows, columns], isTagged: true),
          WeightRequest(name: "\(name) bias", shape: [rows]),
        ]
      }, fourAxes: nil)
  }

  /// Rows × `queryWidth`.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (q, k, v) = rows(inputs)
    guard q.count == 2, k.count == 2, v.count == 2, q[1] == queryWidth, k[1] == keyWidth,
      v[1] == valueWidth, k[0] == v[0]
    else {
      throw .shape(
        "shapes \(inputs)",
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

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int], by arithmetic: RowArithmetic
  ) -> Tensor {
    func projected(_ input: Matrix, _ number: Int, to width: Int) -> Matrix {
      let factors = Matrix(
        weights[2 * number], rows: input.columns, columns: width, isTransposed: true,
        isStored: true)
      return Matrix(
        arithmetic.multiply(input, factors, weights[2 * number + 1]), rows: input.rows,
        columns: width)
    }
    let (q, k, v) = rows(inputs)
    let queries = projected(q.matrix(), 0, to: width)
    let keys = projected(k.matrix(), 1, to: width)
    let values = projected(v.matrix(), 2, to: width)
    let size = width / heads
    var joined = [Float](repeating: 0, count: q.rows * width)
    for head in 0..<heads {
      func part(_ matrix: Matrix) -> Matrix { matrix.columns(from: head * size, count: size) }
      let mask = hasMask ? inputs.last?.mask(head: head, count: q.rows * k.rows) : nil
      let result = attention(
        part(queries), part(keys), part(values), scale: scale, mask: mask, by: arithmetic)
      for (index, value) in result.enumerated() {
        joined[index / size * width + head * size + index % size] = value
      }
    }
    let rows = Matrix(joined, rows: q.rows, columns: width)
    return Tensor(shape, projected(rows, 3, to: queryWidth).elements)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let (q, k, _) = rows(inputs)
    let projections =
      product([q[0], width, 2 * queryWidth]) + product([k[0], width, keyWidth + valueWidth])
    let products = product([q[0], k[0], 2 * width])
    let size = width / heads
    let steps =
      Matrix.steps(1, q[0], queryWidth, width) + Matrix.steps(1, q[0], width, queryWidth)
      + Matrix.steps(1, k[0], keyWidth, width) + Matrix.steps(1, k[0], valueWidth, width)
      + Matrix.steps(heads, q[0], size, k[0]) + Matrix.steps(heads, q[0], k[0], size)
    let projected = product([q[0], 4 * width]) + product([k[0], 4 * width])
    return Cost(
      steps: steps + product([q[0], k[0], heads, Int(Cost.exponential)]),
      multiplyAdds: min(projections + products, 1 << 60),
      scratchElements: projected + 2 * product([q[0], k[0]])
        + product([width, max(queryWidth, keyWidth, valueWidth)]))
  }
}
