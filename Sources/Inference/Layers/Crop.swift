import NCNN

extension Crop: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try kept(inputs).map { $0.count }
  }

  /// The positions kept along each axis, the outermost first.
  func kept(_ inputs: [[Int]]) throws(InferenceError) -> [Range<Int>] {
    let shape = inputs[0]
    let axes = BlobAxis.axes(shape.count)
    var kept = shape.map { 0..<$0 }
    switch part {
    case .spans(let columns, let rows, let depth, let channels):
      for (axis, name) in axes.enumerated() {
        let span = name.choose(columns: columns, rows: rows, depth: depth, channels: channels)
        let rest = shape[axis] - span.offset - span.offsetFromEnd
        kept[axis] = try range(span.offset, span.offset + min(rest, span.size ?? rest), shape, axis)
      }
    case .intervals(let intervals): try keep(intervals, of: shape, in: &kept)
    case .expressions(let starts, let ends, let axes):
      guard let starts = starts.values(for: inputs), let ends = ends.values(for: inputs),
        let axes = axes.values(for: inputs), Set(axes).count == axes.count
      else {
        throw InferenceError(
          .shape, found: "expressions without values for shapes \(inputs)",
          expected: "positions along axes")
      }
      let intervals = axes.indices.map {
        Interval(axis: axes[$0], start: starts[$0], end: ends[$0])
      }
      try keep(intervals, of: shape, in: &kept)
    case .reference(let column, let row, let depth, let channel):
      // Only channels that the reference lacks stay whole.
      for (axis, name) in axes.enumerated()
      where name != .channels || inputs[1].count == shape.count {
        let start = name.choose(columns: column, rows: row, depth: depth, channels: channel)
        kept[axis] = try range(start, start + name.size(in: inputs[1]), shape, axis)
      }
    }
    return kept
  }

  private func keep(
    _ intervals: [Interval], of shape: [Int], in kept: inout [Range<Int>]
  ) throws(InferenceError) {
    for interval in intervals {
      let axis = try resolvedAxis(interval.axis, of: shape)
      let size = shape[axis]
      let start = interval.start.map { $0 >= 0 ? $0 : size + $0 } ?? 0
      let end = interval.end.map { min(size, $0 > 0 ? $0 : size + $0) } ?? size
      kept[axis] = try range(start, end, shape, axis)
    }
  }

  private func range(
    _ start: Int, _ end: Int, _ shape: [Int], _ axis: Int
  ) throws(InferenceError) -> Range<Int> {
    guard start >= 0, start < end, end <= shape[axis] else {
      throw InferenceError(
        .shape, found: "positions \(start) up to \(end) along axis \(axis) of shape \(shape)",
        expected: "at least one, inside the blob")
    }
    return start..<end
  }

  func apply(
    _ inputs: [Tensor], weights: [[Float]], shape: [Int]
  ) throws(InferenceError) -> Tensor {
    let kept = try kept(inputs.map { $0.shape })
    let input = inputs[0]
    let steps = strides(of: input.shape)
    let first = zip(kept, steps).reduce(0) { $0 + $1.0.lowerBound * $1.1 }
    let distances = fourAxes(steps, missing: 0)
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    forEachRow(of: shape) { channel, slice, row in
      let start =
        first + channel * distances[0] + slice * distances[1] + row * distances[2]
      values += input.values[start..<start + shape[shape.count - 1]]
    }
    return Tensor(shape, values)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    guard let kept = try? kept(inputs), let columns = kept.last else { return .irregular }
    return .part(firstRow: kept.dropLast().last?.lowerBound ?? 0, firstColumn: columns.lowerBound)
  }
}

extension BlobAxis {
  /// The one of four things that belongs to the axis.
  fileprivate func choose<Thing>(columns: Thing, rows: Thing, depth: Thing, channels: Thing)
    -> Thing
  {
    switch self {
    case .columns: columns
    case .rows: rows
    case .depth: depth
    case .channels: channels
    }
  }
}
