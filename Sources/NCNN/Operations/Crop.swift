/// Parameters of Crop: a part of a blob.
public struct Crop: Hashable, Sendable {
  /// What ncnn's older form keeps along one axis.
  public struct Span: Hashable, Sendable {
    /// Where the part begins.
    public var offset: Int
    /// Its maximum length; nil means up to the end.
    public var size: Int?
    /// The number of positions dropped at the end.
    public var offsetFromEnd: Int
  }

  /// What the NumPy form keeps along one axis; nil means from the start or to the end, negative
  /// positions count from the end.
  public struct Interval: Hashable, Sendable {
    /// The axis; negative ones count from the innermost.
    public var axis: Int
    /// The first position kept.
    public var start: Int?
    /// The position after the last one kept.
    public var end: Int?

    /// An interval as the file gives it, where ncnn's mark stands for an absent position.
    public init(axis: Int, start: Int, end: Int) {
      self.axis = axis
      self.start = start == ParamFormat.placeholder ? nil : start
      self.end = end == ParamFormat.placeholder ? nil : end
    }
  }

  /// How the part is described.
  public enum Part: Hashable, Sendable {
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
  public var part: Part

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
