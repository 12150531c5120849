// SPDX-License-Identifier: Apache-2.0

/// A blob repeated along its axes.
struct Tile: GatheringKind, Hashable {
  /// The axis that `repeats` alone is for; nil where it lists those of the innermost axes.
  let axis: Int?
  /// How often the blob is repeated, the outermost axis first.
  let repeats: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    let counts = 1...Limits.integerParameter
    let repeats = try reader.integers(2, "repeats", in: counts)
    guard repeats.count <= 4 else {
      throw reader.refusal("\(repeats.count) repeats", expected: "at most 4")
    }
    axis = try repeats.isEmpty ? reader.integer(0, "axis", default: 0, in: 0...3) : nil
    self.repeats =
      try repeats.isEmpty ? [reader.integer(1, "tiles", default: 1, in: counts)] : repeats
  }

  var traits: LayerTraits { LayerTraits(movement: .picks) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (sizes, counts) = try aligned(inputs[0])
    return try sizes.indices.map { axis throws(InferenceError) in
      guard let product = checkedProduct(sizes[axis], counts[axis]) else {
        throw InferenceError(
          .limit, found: "\(sizes[axis]) elements \(counts[axis]) times",
          expected: "a size that fits an Int")
      }
      return product
    }
  }

  /// The sizes, and how often each axis is repeated; axes that the blob lacks are added where they are.
  private func aligned(_ input: [Int]) throws(InferenceError) -> (sizes: [Int], counts: [Int]) {
    func padded(_ list: [Int], to count: Int) -> [Int] {
      [Int](repeating: 1, count: max(0, count - list.count)) + list
    }
    if let axis {
      var counts = padded([], to: input.count)
      counts[try resolvedAxis(axis, of: input)] = repeats[0]
      return (input, counts)
    }
    if (input.count, repeats.count) == (3, 4) {
      // Upstream's second repeat is that of the depth, which three axes lack.
      return ([input[0], 1, input[1], input[2]], repeats)
    }
    return (padded(input, to: repeats.count), padded(repeats, to: input.count))
  }

  func places(_ input: [Int], shape: [Int]) throws(InferenceError) -> [[Int]] {
    let sizes = try aligned(input).sizes
    let steps = strides(of: sizes)
    return shape.indices.map { axis in (0..<shape[axis]).map { $0 % sizes[axis] * steps[axis] } }
  }
}
