/// Parameters of Slice: one blob cut into several along an axis.
public struct Slice: Hashable, Sendable {
  /// Where the cuts are.
  public enum Cuts: Hashable, Sendable {
    /// The size of each part; nil shares what is left evenly among the parts still to come.
    case sizes([Int?])
    /// The position where each part but the first begins; negative ones count from the end.
    case positions([Int])
  }

  /// Where the cuts are.
  public var cuts: Cuts
  /// The axis that is cut.
  public var axis: Int

  static let restMark = -233

  init(_ reader: ParameterReader) throws(ModelError) {
    axis = try reader.integer(1, "axis", default: 0, in: axisRange)
    let range = -Limits.integerParameter...Limits.integerParameter
    let positions = try reader.integers(2, "indices", in: range)
    if !positions.isEmpty {
      cuts = .positions(positions)
      return
    }
    let sizes = try reader.integers(0, "slices", in: Self.restMark...Limits.integerParameter)
    guard sizes.allSatisfy({ $0 > 0 || $0 == Self.restMark }) else {
      throw reader.refusal("slices \(sizes)", expected: "positive sizes or -233")
    }
    cuts = .sizes(sizes.map { $0 == Self.restMark ? nil : $0 })
  }

  /// The number of parts that the cuts make.
  var partCount: Int {
    switch cuts {
    case .sizes(let sizes): sizes.count
    case .positions(let positions): positions.count + 1
    }
  }
}

/// Parameters of ShuffleChannel: with `group` g, channel `i · C/g + j` moves to `j · g + i`.
public struct ShuffleChannel: Hashable, Sendable {
  /// Into how many groups the channels are divided.
  public var group: Int
  /// Whether the move is undone instead.
  public var isReversed: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    group = try reader.integer(0, "group", default: 1, in: 1...Limits.integerParameter)
    isReversed = try reader.flag(1, "reverse")
  }
}

/// Parameters of Reshape: the same elements under another shape.
public struct Reshape: Hashable, Sendable {
  /// The new sizes from the outermost axis in; 0 keeps the size that the input has along the axis
  /// of that name, −1 stands for what the other sizes leave. A single 0 is a row of all elements.
  public var sizes: [Int]

  init(_ reader: ParameterReader) throws(ModelError) {
    let absent = -233
    if let depth = reader.parameters[11], depth != .integer(absent) {
      try reader.requireUnused(11, "d")
    }
    try reader.requireUnused(3, "permute")
    try reader.requireUnused(6, "shape_expr")
    func size(_ key: Int, _ name: String) throws(ModelError) -> Int {
      let size = try reader.integer(
        key, name, default: absent, in: absent...Limits.integerParameter)
      guard size >= -1 || size == absent else {
        throw reader.refusal("\(name) \(size)", expected: "a size, 0, -1 or -233")
      }
      return size
    }
    sizes = [try size(2, "c"), try size(1, "h"), try size(0, "w")]
    while sizes.first == absent { sizes.removeFirst() }
    guard !sizes.isEmpty, !sizes.contains(absent), sizes.count(where: { $0 == -1 }) <= 1 else {
      throw reader.refusal(
        "shape \(sizes)", expected: "w, h and w, or c, h and w, of which one at most is -1")
    }
  }
}

/// Parameters of Permute: the axes in another order.
public struct Permute: Hashable, Sendable {
  /// ncnn's number of the order, 0…5: for the result's axes from the innermost out
  /// WHC, HWC, WCH, CWH, HCW, CHW.
  public var order: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    order = try reader.integer(0, "order_type", default: 0, in: 0...5)
  }
}

/// Parameters of Padding: a border around a blob.
public struct Padding: Hashable, Sendable {
  /// What the border holds.
  public enum Content: Hashable, Sendable {
    /// One value.
    case constant(Float)
    /// One value per channel, stored in the weights: so many of them.
    case constantPerChannel(count: Int)
    /// The nearest pixel of the blob.
    case replicated
    /// The blob mirrored at its edge pixels, which are not repeated.
    case reflected
  }

  /// Rows above.
  public var top: Int
  /// Rows below.
  public var bottom: Int
  /// Columns at the left.
  public var left: Int
  /// Columns at the right.
  public var right: Int
  /// Channels before.
  public var front: Int
  /// Channels after.
  public var behind: Int
  /// What the border holds.
  public var content: Content

  init(_ reader: ParameterReader) throws(ModelError) {
    func size(_ key: Int, _ name: String) throws(ModelError) -> Int {
      try reader.integer(key, name, default: 0, in: 0...(1 << 20))
    }
    top = try size(0, "top")
    bottom = try size(1, "bottom")
    left = try size(2, "left")
    right = try size(3, "right")
    front = try size(7, "front")
    behind = try size(8, "behind")
    let count = try reader.integer(6, "per_channel_pad_data_size", default: 0)
    switch try reader.integer(4, "type", default: 0, in: 0...2) {
    case 1: content = .replicated
    case 2: content = .reflected
    default:
      content =
        count > 0
        ? .constantPerChannel(count: count)
        : .constant(try reader.real(5, "value", default: 0))
    }
  }

  var weightRequests: [WeightRequest] {
    guard case .constantPerChannel(let count) = content else { return [] }
    return [WeightRequest("border values", count: count)]
  }
}

/// Parameters of Crop: a part cut out of a blob.
public struct Crop: Hashable, Sendable {
  /// What is kept along one axis by ncnn's older form.
  public struct Span: Hashable, Sendable {
    /// Where the part begins.
    public var offset: Int
    /// How long it is at most; nil means up to the end.
    public var size: Int?
    /// How much is left away at the end.
    public var offsetFromEnd: Int
  }

  /// The part of one axis by the NumPy form; nil means from the start or to the end, negative
  /// positions count from the end.
  public struct Interval: Hashable, Sendable {
    /// The axis; negative ones count from the innermost.
    public var axis: Int
    /// The first position kept.
    public var start: Int?
    /// The position behind the last one kept.
    public var end: Int?
  }

  /// How the part is described.
  public enum Part: Hashable, Sendable {
    /// Axis by axis, with an offset and a size.
    case spans(columns: Span, rows: Span, channels: Span)
    /// Axes with a start and an end.
    case intervals([Interval])
    /// The sizes of a second input, from these offsets on.
    case reference(column: Int, row: Int, channel: Int)
  }

  /// How the part is described.
  public var part: Part

  var takesReference: Bool {
    if case .reference = part { true } else { false }
  }

  static let absentMark = -233

  init(_ reader: ParameterReader) throws(ModelError) {
    // Converters write the largest integer for "to the end".
    let range = Int(Int32.min)...Int(Int32.max)
    try reader.requireUnused(13, "doffset")
    try reader.requireUnused(15, "doffset2")
    let starts = try reader.integers(9, "starts", in: range)
    let ends = try reader.integers(10, "ends", in: range)
    let axes = try reader.integers(11, "axes", in: axisRange)
    if !starts.isEmpty {
      guard starts.count == ends.count, axes.isEmpty || axes.count == starts.count,
        starts.count <= 3, Set(axes).count == axes.count
      else {
        throw reader.refusal(
          "\(starts.count) starts, \(ends.count) ends and axes \(axes)",
          expected: "as many starts as ends, at most 3, and distinct axes of that number or none")
      }
      part = .intervals(
        starts.indices.map { index in
          Interval(
            axis: axes.isEmpty ? index : axes[index],
            start: starts[index] == Self.absentMark ? nil : starts[index],
            end: ends[index] == Self.absentMark ? nil : ends[index])
        })
      return
    }
    let offsets = 0...Limits.integerParameter
    let column = try reader.integer(0, "woffset", default: 0, in: offsets)
    let row = try reader.integer(1, "hoffset", default: 0, in: offsets)
    let channel = try reader.integer(2, "coffset", default: 0, in: offsets)
    let sizes = [3, 4, 5].map { reader.parameters[$0] }
    if sizes.allSatisfy({ $0 == nil || $0 == .integer(0) }) {
      part = .reference(column: column, row: row, channel: channel)
      return
    }
    func span(
      from offset: Int, size: Int, end: Int, _ name: String
    ) throws(ModelError) -> Span {
      let length = try reader.integer(
        size, "out\(name)", default: 0, in: Self.absentMark...Limits.integerParameter)
      guard length >= 0 || length == Self.absentMark else {
        throw reader.refusal("out\(name) \(length)", expected: "a size or -233")
      }
      return Span(
        offset: offset, size: length == Self.absentMark ? nil : length,
        offsetFromEnd: try reader.integer(end, "\(name)offset2", default: 0, in: offsets))
    }
    part = .spans(
      columns: try span(from: column, size: 3, end: 6, "w"),
      rows: try span(from: row, size: 4, end: 7, "h"),
      channels: try span(from: channel, size: 5, end: 8, "c"))
  }
}
