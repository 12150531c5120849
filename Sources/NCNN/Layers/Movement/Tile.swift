/// Parameters of Tile: a blob repeated along its axes.
struct Tile: Hashable, Sendable {
  /// The axis that `repeats` alone is for; nil where it lists those of the innermost axes.
  var axis: Int?
  /// How often the blob is repeated, the outermost axis first.
  var repeats: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    let counts = 1...Limits.integerParameter
    repeats = try reader.integers(2, "repeats", in: counts)
    guard repeats.count <= 4 else {
      throw reader.refusal("\(repeats.count) repeats", expected: "at most 4")
    }
    if repeats.isEmpty {
      axis = try reader.integer(0, "axis", default: 0, in: 0...3)
      repeats = [try reader.integer(1, "tiles", default: 1, in: counts)]
    }
  }
}

extension Tile: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(movement: .picks) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let (sizes, counts) = try aligned(inputs[0])
    var shape: [Int] = []
    for (size, count) in zip(sizes, counts) {
      let (product, overflow) = size.multipliedReportingOverflow(by: count)
      guard !overflow else {
        throw InferenceError(
          .limit, found: "\(size) elements \(count) times", expected: "a size that fits an Int")
      }
      shape.append(product)
    }
    return shape
  }

  /// The sizes, and how often each axis is repeated; axes that the blob lacks are added where they are.
  private func aligned(_ input: [Int]) throws(InferenceError) -> (sizes: [Int], counts: [Int]) {
    var counts = [Int](repeating: 1, count: input.count)
    if let axis {
      counts[try resolvedAxis(axis, of: input)] = repeats[0]
      return (input, counts)
    }
    if (input.count, repeats.count) == (3, 4) {
      // Upstream's second repeat is that of the depth, which three axes lack.
      return ([input[0], 1, input[1], input[2]], repeats)
    }
    let missing = max(0, repeats.count - input.count)
    counts = [Int](repeating: 1, count: max(0, input.count - repeats.count)) + repeats
    return ([Int](repeating: 1, count: missing) + input, counts)
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let sizes = try aligned(inputs[0].shape).sizes
    let steps = strides(of: sizes)
    return inputs[0].gathered(
      shape,
      shape.indices.map { axis in (0..<shape[axis]).map { $0 % sizes[axis] * steps[axis] } })
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }
}
