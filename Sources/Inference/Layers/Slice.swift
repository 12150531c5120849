import NCNN

extension Slice {
  func outputShapes(_ input: [Int]) throws(InferenceError) -> [[Int]] {
    let axis = try resolvedAxis(axis, of: input)
    return try partSizes(of: input[axis]).map { size in
      var shape = input
      shape[axis] = size
      return shape
    }
  }

  /// The sizes of the parts of an axis; they add up to no more than its size.
  private func partSizes(of total: Int) throws(InferenceError) -> [Int] {
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
    }
    guard left >= 0, sizes.allSatisfy({ $0 > 0 }) else {
      throw InferenceError(
        .shape, found: "parts of \(sizes.map(String.init).joined(separator: ", "))",
        expected: "positive parts of \(total)")
    }
    return sizes
  }

  /// The parts of a blob along the axis.
  func apply(_ input: Tensor, shapes: [[Int]]) throws(InferenceError) -> [Tensor] {
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
}
