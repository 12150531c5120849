/// Parameters of Slice: one blob cut into several along an axis.
struct Slice: Hashable, Sendable {
  /// Where the cuts are.
  enum Cuts: Hashable, Sendable {
    /// The size of each part; nil divides what is left evenly among the remaining parts. Anything
    /// after the last part is dropped.
    case sizes([Int?])
    /// The position where each part but the first begins; negative ones count from the end.
    case positions([Int])
  }

  /// Where the cuts are.
  var cuts: Cuts
  /// The axis that is cut.
  var axis: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    axis = try reader.integer(1, "axis", default: 0, in: axisRange)
    let range = -Limits.integerParameter...Limits.integerParameter
    let positions = try reader.integers(2, "indices", in: range)
    if !positions.isEmpty {
      cuts = .positions(positions)
      return
    }
    let sizes = try reader.integers(
      0, "slices", in: ParamFormat.placeholder...Limits.integerParameter)
    guard !sizes.isEmpty, sizes.allSatisfy({ $0 > 0 || $0 == ParamFormat.placeholder }) else {
      throw reader.refusal(
        "slices \(sizes)", expected: "positive sizes or \(ParamFormat.placeholder)")
    }
    cuts = .sizes(sizes.map { $0 == ParamFormat.placeholder ? nil : $0 })
  }

  /// The number of parts that the cuts make.
  var partCount: Int {
    switch cuts {
    case .sizes(let sizes): sizes.count
    case .positions(let positions): positions.count + 1
    }
  }
}

extension Slice: LayerKind {
  var traits: LayerTraits {
    LayerTraits(
      outputs: partCount...partCount, movesInt8: axis.isChannels, movement: .rearranges,
      channels: axis.isChannels ? .cut : .new)
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .cut(axis: axis) }

  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]] {
    let input = inputs[0]
    let axis = try resolvedAxis(axis, of: input)
    // Along the third axis and the fourth, upstream loses count of what is left over.
    return try partSizes(of: input[axis], leavesNone: axis > 1).map { size in
      var shape = input
      shape[axis] = size
      return shape
    }
  }

  /// The sizes of the parts of an axis, which add up to no more than its size, or to just that.
  private func partSizes(of total: Int, leavesNone: Bool) throws(InferenceError) -> [Int] {
    var sizes: [Int] = []
    var left = total
    switch cuts {
    case .sizes(let requested):
      for (index, size) in requested.enumerated() {
        sizes.append(size ?? left / (requested.count - index))
        left -= sizes[index]
        if left < 0 { break }
      }
    case .positions(let positions):
      var start = 0
      for position in positions {
        let end = position < 0 ? total + position : position
        sizes.append(end - start)
        start = end
      }
      sizes.append(total - start)
      left = 0
    }
    guard left == 0 || left > 0 && !leavesNone, sizes.allSatisfy({ $0 > 0 }) else {
      throw InferenceError(
        .shape, found: "parts of \(sizes.map(String.init).listForMessage)",
        expected: "positive parts of \(leavesNone ? "all of " : "")\(total)")
    }
    return sizes
  }

  /// The parts of a blob along the axis.
  func apply(
    _ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]
  ) throws(InferenceError) -> [Tensor] {
    let input = inputs[0]
    let axis = try resolvedAxis(axis, of: input.shape)
    let outer = input.shape[..<axis].reduce(1, *)
    let inner = input.shape[(axis + 1)...].reduce(1, *)
    let stride = input.shape[axis] * inner
    var offset = 0
    return shapes.map { shape in
      let run = shape[axis] * inner
      var values: [Float] = []
      values.reserveCapacity(outer * run)
      for index in 0..<outer {
        let start = index * stride + offset
        values += input.values[start..<start + run]
      }
      offset += run
      return Tensor(shape, values)
    }
  }

  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost {
    Cost(steps: outputs.reduce(0) { $0 + product($1) })
  }

  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    guard let axis = try? resolvedAxis(axis, of: inputs[0]) else {
      return outputs.map { _ in .irregular }
    }
    let axesBehind = inputs[0].count - 1 - axis
    var position = 0
    return outputs.map { shape in
      defer { position += shape[axis] }
      return .part(
        firstRow: axesBehind == 1 ? position : 0, firstColumn: axesBehind == 0 ? position : 0)
    }
  }
}
