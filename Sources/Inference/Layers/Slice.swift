import NCNN

extension Slice: LayerKind {
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

/// Copies of a blob, which share its storage.
struct Split: LayerKind {
  func outputShapes(_ inputs: [[Int]], count: Int) -> [[Int]] {
    Array(repeating: inputs[0], count: count)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]) -> [Tensor] {
    Array(repeating: inputs[0], count: shapes.count)
  }

  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost { Cost() }

  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    Array(repeating: .sameElement, count: outputs.count)
  }
}
