// SPDX-License-Identifier: Apache-2.0

/// A blob that is stored in the weights.
package struct MemoryData: SingleOutputKind, Hashable {
  package let sizes: [Int]
  /// Whether a storage tag precedes the data.
  let isTagged: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    sizes = try DeclaredShape(reader).sizes
    isTagged = try !reader.flag(21, "load_type", default: true)
    guard let count = elementCount(sizes), count <= Limits.integerParameter else {
      throw reader.refusal(
        "shape \(sizes)", expected: "sizes whose product is 1…\(Limits.integerParameter)")
    }
  }

  package var traits: LayerTraits {
    let data = WeightRequest(
      name: "data", shape: [sizes.reduce(1, *)], isTagged: isTagged, areConstants: true)
    return LayerTraits(inputs: 0...0, weights: [data])
  }

  func outputShape(_ inputs: [[Int]]) -> [Int] { sizes }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(sizes, weights[0])
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .nothing }
}
