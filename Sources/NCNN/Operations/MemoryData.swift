/// Parameters of MemoryData: a blob that is stored in the weights.
public struct MemoryData: Hashable, Sendable {
  /// The blob's sizes from the outermost axis in.
  public var sizes: [Int]
  /// Whether a storage tag precedes the data.
  public var isTagged: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    sizes = try DeclaredShape(reader).sizes
    isTagged = try reader.integer(21, "load_type", default: 1, in: 0...1) == 0
    let count = sizes.reduce(Optional(1)) { product, size in
      product.flatMap { checkedProduct($0, size) }
    }
    guard !sizes.isEmpty, let count, count <= Limits.integerParameter else {
      throw reader.refusal(
        "shape \(sizes)", expected: "sizes whose product is 1…\(Limits.integerParameter)")
    }
  }

  var weightRequests: [WeightRequest] {
    [WeightRequest("data", count: sizes.reduce(1, *), isTagged: isTagged)]
  }
}
