/// Parameters of MemoryData: a blob that is stored in the weights.
package struct MemoryData: Hashable, Sendable {
  /// The blob's sizes from the outermost axis in.
  package var sizes: [Int]
  /// Whether a storage tag precedes the data.
  package var isTagged: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    sizes = try DeclaredShape(reader).sizes
    isTagged = try !reader.flag(21, "load_type", default: true)
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

extension MemoryData: SingleOutputKind {
  package var traits: LayerTraits {
    LayerTraits(inputs: 0...0, weights: weightRequests)
  }

  func outputShape(_ inputs: [[Int]]) -> [Int] { sizes }

  /// The stored elements.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(sizes, weights[0])
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .nothing }
}
