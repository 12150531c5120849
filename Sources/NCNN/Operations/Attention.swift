/// Parameters of MultiHeadAttention (Vaswani et al., 2017): in each head, what the queries take of the
/// values is weighted by the softmax of their products with the keys.
///
/// Inputs are rows of numbers: queries, keys and values, of which those that are missing are the ones
/// before; then, if there is one, what is added to the products.
public struct MultiHeadAttention: Hashable, Sendable {
  /// The numbers of all heads together.
  public var width: Int
  /// The number of heads, each of `width` / `heads` numbers.
  public var heads: Int
  /// The numbers of a row of the queries and of the result.
  public var queryWidth: Int
  /// The numbers of a row of the keys.
  public var keyWidth: Int
  /// The numbers of a row of the values.
  public var valueWidth: Int
  /// Whether the last input is added to the products.
  public var hasMask: Bool
  /// The factor of the products.
  public var scale: Float

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

  var traits: OperationTraits {
    let arrays = [
      ("query", width, queryWidth), ("key", width, keyWidth), ("value", width, valueWidth),
      ("result", queryWidth, width),
    ]
    let masks = hasMask ? 1 : 0
    return OperationTraits(
      inputs: 1 + masks...3 + masks,
      weights: arrays.flatMap { name, rows, columns in
        [
          WeightRequest("\(name) weights", shape: [rows, columns], isTagged: true),
          WeightRequest("\(name) bias", count: rows),
        ]
      })
  }
}

/// Parameters of SDPA, attention without weights: queries, keys and values of heads × rows × numbers, and what
/// is added to the products.
public struct DotProductAttention: Hashable, Sendable {
  /// Whether the last input is added to the products.
  public var hasMask: Bool
  /// The factor of the products; nil for 1 / √(numbers of a query).
  public var scale: Float?

  init(_ reader: ParameterReader) throws(ModelError) {
    try reader.requireUnused(7, "kv_cache")
    try reader.requireUnused(18, "int8_scale_term")
    hasMask = try reader.flag(5, "attn_mask")
    let scale = try reader.real(6, "scale", default: 0)
    self.scale = scale == 0 ? nil : scale
  }

  var traits: OperationTraits { OperationTraits(inputs: hasMask ? 4...4 : 3...3) }
}
