/// Parameters of Crop: a part of a blob.
package struct Crop: Hashable, Sendable {
  /// What ncnn's older form keeps along one axis.
  package struct Span: Hashable, Sendable {
    /// Where the part begins.
    package var offset: Int
    /// Its maximum length; nil means up to the end.
    package var size: Int?
    /// The number of positions dropped at the end.
    package var offsetFromEnd: Int
  }

  /// What the NumPy form keeps along one axis; nil means from the start or to the end, negative
  /// positions count from the end.
  package struct Interval: Hashable, Sendable {
    /// The axis; negative ones count from the innermost.
    package var axis: Int
    /// The first position kept.
    package var start: Int?
    /// The position after the last one kept.
    package var end: Int?

    /// An interval as the file gives it, where ncnn's mark stands for an absent position.
    package init(axis: Int, start: Int, end: Int) {
      self.axis = axis
      self.start = start == ParamFormat.placeholder ? nil : start
      self.end = end == ParamFormat.placeholder ? nil : end
    }
  }

  /// How the part is described.
  package enum Part: Hashable, Sendable {
    /// Axis by axis, with an offset and a size; the depth is that of blobs of four axes.
    case spans(columns: Span, rows: Span, depth: Span, channels: Span)
    /// Axes with a start and an end.
    case intervals([Interval])
    /// The same, computed from the sizes of the inputs.
    case expressions(starts: ShapeExpression, ends: ShapeExpression, axes: ShapeExpression)
    /// The sizes of a second input, starting at these offsets.
    case reference(column: Int, row: Int, depth: Int, channel: Int)
  }

  /// How the part is described.
  package var part: Part

  /// How many inputs there are.
  var inputs: ClosedRange<Int> {
    switch part {
    case .spans, .intervals: 1...1
    case .expressions(let starts, let ends, let axes):
      ShapeExpression.layerInputs(max(starts.inputCount, ends.inputCount, axes.inputCount))
    case .reference: 2...2
    }
  }

  init(_ reader: ParameterReader) throws(ModelError) {
    // Converters write the largest integer for "to the end".
    let range = Int(Int32.min)...Int(Int32.max)
    let expressions = (
      try reader.expression(19, "starts_expr"), try reader.expression(20, "ends_expr"),
      try reader.expression(21, "axes_expr")
    )
    if case (let starts?, let ends?, let axes?) = expressions {
      guard starts.count == ends.count, starts.count == axes.count else {
        throw reader.refusal(
          "\(starts.count) starts, \(ends.count) ends and \(axes.count) axes",
          expected: "as many of each")
      }
      part = .expressions(starts: starts, ends: ends, axes: axes)
      return
    }
    guard case (nil, nil, nil) = expressions else {
      throw reader.refusal("some of starts_expr, ends_expr and axes_expr", expected: "all or none")
    }
    let starts = try reader.integers(9, "starts", in: range)
    let ends = try reader.integers(10, "ends", in: range)
    let axes = try reader.integers(11, "axes", in: axisRange)
    if !starts.isEmpty {
      guard starts.count == ends.count, axes.isEmpty || axes.count == starts.count,
        starts.count <= 4, Set(axes).count == axes.count
      else {
        throw reader.refusal(
          "\(starts.count) starts, \(ends.count) ends and axes \(axes)",
          expected: "as many starts as ends, at most 4, and distinct axes of that number or none")
      }
      part = .intervals(
        starts.indices.map { index in
          Interval(axis: axes.isEmpty ? index : axes[index], start: starts[index], end: ends[index])
        })
      return
    }
    let column = try reader.integer(0, "woffset", default: 0)
    let row = try reader.integer(1, "hoffset", default: 0)
    let depth = try reader.integer(13, "doffset", default: 0)
    let channel = try reader.integer(2, "coffset", default: 0)
    let sizes = [3, 4, 14, 5].map { reader.parameters[$0] }
    if sizes.allSatisfy({ $0 == nil || $0 == .integer(0) }) {
      part = .reference(column: column, row: row, depth: depth, channel: channel)
      return
    }
    func span(from offset: Int, size: Int, end: Int, _ name: String) throws(ModelError) -> Span {
      let length = try reader.integer(
        size, "out\(name)", default: 0, in: ParamFormat.placeholder...Limits.integerParameter)
      guard length >= 0 || length == ParamFormat.placeholder else {
        throw reader.refusal(
          "out\(name) \(length)", expected: "a size or \(ParamFormat.placeholder)")
      }
      return Span(
        offset: offset, size: length == ParamFormat.placeholder ? nil : length,
        offsetFromEnd: try reader.integer(end, "\(name)offset2", default: 0))
    }
    part = .spans(
      columns: try span(from: column, size: 3, end: 6, "w"),
      rows: try span(from: row, size: 4, end: 7, "h"),
      depth: try span(from: depth, size: 14, end: 15, "d"),
      channels: try span(from: channel, size: 5, end: 8, "c"))
  }
}

extension Crop: SingleOutputKind {
  package var traits: LayerTraits {
    LayerTraits(inputs: inputs, movesInt8: true, movement: .picks, channels: .kept)
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .part(self) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try kept(inputs).map { $0.count }
  }

  /// The positions kept along each axis, the outermost first.
  package func kept(_ inputs: [[Int]]) throws(InferenceError) -> [Range<Int>] {
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
