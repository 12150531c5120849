import NCNN

extension Crop: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try kept(inputs).map { $0.count }
  }

  /// The positions kept along each axis, the outermost first.
  func kept(_ inputs: [[Int]]) throws(InferenceError) -> [Range<Int>] {
    let shape = inputs[0]
    var kept = shape.map { 0..<$0 }
    switch part {
    case .spans(let columns, let rows, let channels):
      for (axis, span) in [channels, rows, columns].suffix(shape.count).enumerated() {
        let rest = shape[axis] - span.offset - span.offsetFromEnd
        kept[axis] = try range(span.offset, min(rest, span.size ?? rest), shape, axis)
      }
    case .intervals(let intervals):
      for interval in intervals {
        let axis = try resolvedAxis(interval.axis, of: shape)
        let size = shape[axis]
        let start = interval.start.map { $0 >= 0 ? $0 : size + $0 } ?? 0
        let end = interval.end.map { min(size, $0 > 0 ? $0 : size + $0) } ?? size
        kept[axis] = try range(start, end - start, shape, axis)
      }
    case .reference(let column, let row, let channel):
      let reference = inputs[1]
      let offsets = Array([channel, row, column].suffix(shape.count))
      // ncnn treats a reference of one axis as a single row; only channels that the reference lacks
      // stay whole.
      let sizes = reference.count == 1 ? [1] + reference : reference
      for axis in shape.indices where shape.count - axis <= sizes.count {
        let size = sizes[sizes.count - (shape.count - axis)]
        kept[axis] = try range(offsets[axis], size, shape, axis)
      }
    }
    return kept
  }

  private func range(
    _ start: Int, _ count: Int, _ shape: [Int], _ axis: Int
  ) throws(InferenceError) -> Range<Int> {
    guard start >= 0, count > 0, start <= shape[axis], count <= shape[axis] - start else {
      throw InferenceError(
        .shape, found: "\(count) positions from \(start) along axis \(axis) of shape \(shape)",
        expected: "at least one, inside the blob")
    }
    return start..<start + count
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let kept = try kept(inputs.map { $0.shape })
    let all = Array(repeating: 0..<1, count: 3 - kept.count) + kept
    let input = inputs[0]
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    for channel in all[0] {
      for row in all[1] {
        let start = (channel * input.rows + row) * input.columns
        values += input.values[start + all[2].lowerBound..<start + all[2].upperBound]
      }
    }
    return Tensor(shape, values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    guard let kept = try? kept(inputs), let columns = kept.last else { return .irregular }
    return .part(
      firstRow: kept.dropLast().last?.lowerBound ?? 0, firstColumn: columns.lowerBound)
  }
}
