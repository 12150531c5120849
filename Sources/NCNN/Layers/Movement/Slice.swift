// SPDX-License-Identifier: Apache-2.0

/// A blob cut into several along an axis.
struct Slice: LayerKind, Hashable {
  enum Cuts: Hashable {
    /// The size of each part; nil divides what is left evenly among the remaining parts. Anything after the
    /// last part is dropped.
    case sizes([Int?])
    /// The position where each part but the first begins; negative ones count from the end.
    case positions([Int])
  }

  let cuts: Cuts
  let axis: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    axis = try reader.integer(1, "axis", default: 0, in: axisRange)
    let range = -Limits.integerParameter...Limits.integerParameter
    let positions = try reader.integers(2, "indices", in: range)
    if !positions.isEmpty {
      cuts = .positions(positions)
      return
    }
    let even = ParamFormat.placeholder
    let sizes = try reader.integers(0, "slices", in: even...Limits.integerParameter)
    guard !sizes.isEmpty, sizes.allSatisfy({ $0 > 0 || $0 == even }) else {
      throw reader.refusal("slices \(sizes)", expected: "positive sizes or \(even)")
    }
    cuts = .sizes(sizes.map { $0 == even ? nil : $0 })
  }

  var traits: LayerTraits {
    let parts =
      switch cuts {
      case .sizes(let sizes): sizes.count
      case .positions(let positions): positions.count + 1
      }
    return LayerTraits(
      outputs: parts...parts, movesInt8: axis.isChannels, movement: .rearranges,
      channels: axis.isChannels ? .cut : .new)
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .cut(axis: axis) }

  func outputShapes(_ inputs: [[Int]], count: Int) throws(InferenceError) -> [[Int]] {
    let axis = try resolvedAxis(axis, of: inputs[0])
    // Along the third axis and the fourth, upstream loses count of what is left over.
    return try partSizes(of: inputs[0][axis], leavesNone: axis > 1).map { size in
      var shape = inputs[0]
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
      for (index, size) in requested.enumerated() where left >= 0 {
        sizes.append(size ?? left / (requested.count - index))
        left -= sizes[index]
      }
    case .positions(let positions):
      let ends = positions.map { $0 < 0 ? total + $0 : $0 } + [total]
      sizes = zip(ends, [0] + ends).map { $0 - $1 }
      left = 0
    }
    guard left == 0 || left > 0 && !leavesNone, sizes.allSatisfy({ $0 > 0 }) else {
      throw .shape(
        "parts of \(sizes.map(String.init).listForMessage)",
        expected: "positive parts of \(leavesNone ? "all of " : "")\(total)")
    }
    return sizes
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]) -> [Tensor] {
    let steps = strides(of: inputs[0].shape)
    let axis = axis.resolved(in: inputs[0].shape)
    return zip(shapes, starts(shapes, along: axis)).map { shape, start in
      inputs[0].strided(shape, from: start * steps[axis], by: steps)
    }
  }

  /// Where each part begins along the axis.
  private func starts(_ shapes: [[Int]], along axis: Int) -> [Int] {
    shapes.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1[axis]) }
  }

  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost {
    Cost(steps: outputs.reduce(0) { $0 + product($1) })
  }

  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    guard let axis = try? resolvedAxis(axis, of: inputs[0]) else {
      return outputs.map { _ in .irregular }
    }
    let axesBehind = inputs[0].count - 1 - axis
    return zip(outputs, starts(outputs, along: axis)).map { _, start in
      .part(firstRow: axesBehind == 1 ? start : 0, firstColumn: axesBehind == 0 ? start : 0)
    }
  }
}
