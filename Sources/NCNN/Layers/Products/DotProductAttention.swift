// SPDX-License-Identifier: Apache-2.0

/// SDPA: softmax(queries · keysᵀ · scale + mask) · values in each head (Vaswani et al., 2017).
///
/// Inputs are queries, keys and values, each heads × rows × numbers, and perhaps the mask. A head
/// of keys and values may serve several of queries.
struct DotProductAttention: RowKind, Hashable {
  let hasMask: Bool
  /// nil for 1 / √(numbers of a query).
  let scale: Float?

  init(_ reader: ParameterReader) throws(ModelError) {
    try reader.requireUnused(7, "kv_cache")
    try reader.requireUnused(18, "int8_scale_term")
    hasMask = try reader.flag(5, "attn_mask")
    let scale = try reader.real(6, "scale", default: 0)
    self.scale = scale == 0 ? nil : scale
  }

  var traits: LayerTraits { LayerTraits(inputs: hasMask ? 4...4 : 3...3, fourAxes: nil) }

  /// Heads × rows × numbers of a value.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (q, k, v) = (inputs[0], inputs[1], inputs[2])
    guard [q, k, v].allSatisfy({ $0.count == 3 }), q[2] == k[2], k[1] == v[1], k[0] == v[0],
      q[0] % k[0] == 0
    else {
      throw .shape(
        "shapes \(inputs)",
        expected: "heads × rows × numbers, as many values as keys, of numbers as the queries'")
    }
    if hasMask { try requireMask(inputs[3], heads: q[0], rows: q[1], columns: k[1]) }
    return [q[0], q[1], v[2]]
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int], by arithmetic: RowArithmetic
  ) -> Tensor {
    let (q, k, v) = (inputs[0], inputs[1], inputs[2])
    let scale = scale ?? 1 / Float(q.columns).squareRoot()
    let shared = q.channels / k.channels
    let values = (0..<q.channels).flatMap { head in
      attention(
        q.matrix(head: head), k.matrix(head: head / shared), v.matrix(head: head / shared),
        scale: scale, mask: hasMask ? inputs[3].mask(head: head, count: q.rows * k.rows) : nil,
        by: arithmetic)
    }
    return Tensor(shape, values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let (q, k, v) = (inputs[0], inputs[1], inputs[2])
    return Cost(
      steps: Matrix.steps(q[0], q[1], q[2], k[1]) + Matrix.steps(q[0], q[1], k[1], v[2])
        + product([q[0], q[1], k[1], Int(Cost.exponential)]),
      multiplyAdds: product([q[0], q[1], k[1], q[2] + v[2]]),
      scratchElements: 2 * product([q[1], k[1]]) + product([k[1], max(k[2], v[2])]))
  }
}
