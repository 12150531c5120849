// SPDX-License-Identifier: Apache-2.0

/// A part of a blob: a run of positions along each axis.
package struct Crop: SingleOutputKind, Hashable {
  /// How the part is described.
  enum Part: Hashable {
    /// As ncnn's older form does.
    case spans([BlobAxis: Span])
    /// As NumPy does.
    case intervals([Interval])
    /// The same, computed from the sizes of the inputs.
    case expressions(starts: ShapeExpression, ends: ShapeExpression, axes: ShapeExpression)
    /// The sizes of a second input, starting at these offsets.
    case reference([BlobAxis: Int])
  }

  /// What is kept along an axis: up to `size` positions, nil for all up to those left out at the end.
  struct Span: Hashable {
    var offset: Int
    var size: Int?
    var offsetFromEnd: Int
  }

  /// The positions from the first that is kept to the one after the last; nil means from the start or to the
  /// end, negative ones count from the end.
  struct Interval: Hashable {
    let axis: Int
    let start: Int?
    let end: Int?

    init(axis: Int, start: Int, end: Int) {
      self.axis = axis
      self.start = start == ParamFormat.placeholder ? nil : start
      self.end = end == ParamFormat.placeholder ? nil : end
    }
  }

  let part: Part

  init(_ reader: ParameterReader) throws(ModelError) {
    if let part = try Self.expressions(reader) {
      self.part = part
    } else if let part = try Self.intervals(reader) {
      self.part = part
    } else {
      part = try Self.spansOrReference(reader)
    }
  }

  package var traits: LayerTraits {
    let inputs =
      switch part {
      case .spans, .intervals: 1...1
      case .expressions(let starts, let ends, let axes):
        ShapeExpression.layerInputs(max(starts.inputCount, ends.inputCount, axes.inputCount))
      case .reference: 2...2
      }
    return LayerTraits(inputs: inputs, movesInt8: true, movement: .picks, channels: .kept)
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .part(self) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try kept(inputs).map { $0.count }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) throws(InferenceError) -> Tensor
  {
    let steps = strides(of: inputs[0].shape)
    let first = zip(try kept(inputs.map { $0.shape }), steps)
      .reduce(0) { $0 + $1.0.lowerBound * $1.1 }
    return inputs[0].strided(shape, from: first, by: steps)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    guard let kept = try? kept(inputs), let columns = kept.last else { return .irregular }
    return .part(firstRow: kept.dropLast().last?.lowerBound ?? 0, firstColumn: columns.lowerBound)
  }
}

extension Crop {
  /// The positions kept along each axis, the outermost first.
  package func kept(_ inputs: [[Int]]) throws(InferenceError) -> [Range<Int>] {
    let shape = inputs[0]
    var kept = shape.map { 0..<$0 }
    func keep(_ start: Int, _ end: Int, along axis: Int) throws(InferenceError) {
      guard start >= 0, start < end, end <= shape[axis] else {
        throw .shape(
          "positions \(start) up to \(end) along axis \(axis) of shape \(shape)",
          expected: "at least one, inside the blob")
      }
      kept[axis] = start..<end
    }
    let axes = BlobAxis.axes(shape.count)
    switch part {
    case .spans(let spans):
      for (axis, name) in axes.enumerated() {
        guard let span = spans[name] else { continue }
        let rest = shape[axis] - span.offset - span.offsetFromEnd
        try keep(span.offset, span.offset + min(rest, span.size ?? rest), along: axis)
      }
    case .intervals(let intervals):
      for interval in intervals {
        let axis = try resolvedAxis(interval.axis, of: shape)
        let size = shape[axis]
        let start = interval.start.map { $0 >= 0 ? $0 : size + $0 } ?? 0
        try keep(
          start, interval.end.map { min(size, $0 > 0 ? $0 : size + $0) } ?? size, along: axis)
      }
    case .expressions(let starts, let ends, let axes):
      guard let starts = starts.values(for: inputs), let ends = ends.values(for: inputs),
        let axes = axes.values(for: inputs), Set(axes).count == axes.count
      else {
        throw .shape(
          "expressions without values for shapes \(inputs)", expected: "positions along axes")
      }
      return try Crop(intervals: axes, starts, ends).kept(inputs)
    case .reference(let offsets):
      // Only channels that the reference lacks stay whole.
      for (axis, name) in axes.enumerated()
      where name != .channels || inputs[1].count == shape.count {
        let start = offsets[name] ?? 0
        try keep(start, start + name.size(in: inputs[1]), along: axis)
      }
    }
    return kept
  }

  private init(intervals axes: [Int], _ starts: [Int], _ ends: [Int]) {
    part = .intervals(
      axes.indices.map { Interval(axis: axes[$0], start: starts[$0], end: ends[$0]) })
  }
}

extension Crop {
  private static func expressions(_ reader: ParameterReader) throws(ModelError) -> Part? {
    let starts = try reader.expression(19, "starts_expr")
    let ends = try reader.expression(20, "ends_expr")
    switch (starts, ends, try reader.expression(21, "axes_expr")) {
    case (nil, nil, nil): return nil
    case (let starts?, let ends?, let axes?):
      guard starts.count == ends.count, starts.count == axes.count else {
        throw reader.refusal(
          "\(starts.count) starts, \(ends.count) ends and \(axes.count) axes",
          expected: "as many of each")
      }
      return .expressions(starts: starts, ends: ends, axes: axes)
    default:
      throw reader.refusal("some of starts_expr, ends_expr and axes_expr", expected: "all or none")
    }
  }

  private static func intervals(_ reader: ParameterReader) throws(ModelError) -> Part? {
    // Converters write the largest integer for "to the end".
    let range = Int(Int32.min)...Int(Int32.max)
    let starts = try reader.integers(9, "starts", in: range)
    let ends = try reader.integers(10, "ends", in: range)
    let axes = try reader.integers(11, "axes", in: axisRange)
    if starts.isEmpty { return nil }
    guard starts.count == ends.count, axes.isEmpty || axes.count == starts.count,
      starts.count <= 4, Set(axes).count == axes.count
    else {
      throw reader.refusal(
        "\(starts.count) starts, \(ends.count) ends and axes \(axes)",
        expected: "as many starts as ends, at most 4, and distinct axes of that number or none")
    }
    return Crop(intervals: axes.isEmpty ? Array(starts.indices) : axes, starts, ends).part
  }

  private static func spansOrReference(_ reader: ParameterReader) throws(ModelError) -> Part {
    let keys: [(axis: BlobAxis, offset: Int, size: Int, offsetFromEnd: Int)] = [
      (.columns, 0, 3, 6), (.rows, 1, 4, 7), (.depth, 13, 14, 15), (.channels, 2, 5, 8),
    ]
    var offsets: [BlobAxis: Int] = [:]
    for (axis, offset, _, _) in keys {
      offsets[axis] = try reader.integer(offset, "\(axis.rawValue)offset", default: 0)
    }
    let haveSizes = keys.contains { key in
      switch reader.parameters[key.size] {
      case nil, .integer(0)?: false
      default: true
      }
    }
    guard haveSizes else { return .reference(offsets) }
    var spans: [BlobAxis: Span] = [:]
    for (axis, _, size, offsetFromEnd) in keys {
      spans[axis] = Span(
        offset: offsets[axis] ?? 0,
        size: try reader.optional(
          size, "out\(axis.rawValue)", default: 0, in: 0...Limits.integerParameter, "a size"),
        offsetFromEnd: try reader.integer(offsetFromEnd, "\(axis.rawValue)offset2", default: 0))
    }
    return .spans(spans)
  }
}
