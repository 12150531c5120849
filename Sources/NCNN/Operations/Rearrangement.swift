/// Parameters of Reshape: the same elements under another shape.
public struct Reshape: Hashable, Sendable {
  /// The new sizes from the outermost axis in; 0 keeps the input's size along that axis, −1 takes
  /// what the other sizes leave. A single 0 means one row of all elements.
  public var sizes: [Int]
  /// What gives the sizes instead, with the same meaning of 0 and −1; `sizes` is empty then.
  public var expression: ShapeExpression?
  /// Where the batch, which is 1, counts among the axes of the input; negative ones count from the innermost.
  /// nil where it does not.
  public var inputBatchAxis: Int?
  /// Where the batch counts among the new sizes, likewise. It is no axis of the result.
  public var outputBatchAxis: Int?

  init(_ reader: ParameterReader) throws(ModelError) {
    let absent = ParamFormat.placeholder
    func batchAxis(_ key: Int, _ name: String) throws(ModelError) -> Int? {
      let none = 233
      let axis = try reader.integer(key, name, default: none, in: -5...none)
      guard axis < 5 || axis == none else {
        throw reader.refusal("\(name) \(axis)", expected: "-5…4 or \(none)")
      }
      return axis == none ? nil : axis
    }
    try reader.requireUnused(3, "permute")
    inputBatchAxis = try batchAxis(12, "input_batch_axis")
    outputBatchAxis = try batchAxis(13, "output_batch_axis")
    expression = try reader.expression(6, "shape_expr", atMost: outputBatchAxis == nil ? 4 : 5)
    if expression != nil {
      sizes = []
      return
    }
    func size(_ key: Int, _ name: String) throws(ModelError) -> Int {
      let size = try reader.integer(
        key, name, default: absent, in: absent...Limits.integerParameter)
      guard size >= -1 || size == absent else {
        throw reader.refusal("\(name) \(size)", expected: "a size, 0, -1 or \(absent)")
      }
      return size
    }
    sizes = [try size(2, "c"), try size(11, "d"), try size(1, "h"), try size(0, "w")]
    if sizes[0] == absent || sizes[1] == absent { sizes.remove(at: 1) }
    while sizes.first == absent { sizes.removeFirst() }
    guard !sizes.isEmpty, !sizes.contains(absent), sizes.count(where: { $0 == -1 }) <= 1 else {
      throw reader.refusal(
        "shape \(sizes)",
        expected: "w, or h and w, or c, h and w, or all four; at most one may be -1")
    }
  }
}

/// Parameters of Permute: the axes in another order.
public struct Permute: Hashable, Sendable {
  /// ncnn's number of the order, 0…23: among the orders of the axes, the outermost first, as a dictionary
  /// would list them. Of three axes, 1 is channels, columns, rows.
  public var order: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    order = try reader.integer(0, "order_type", default: 0, in: 0...23)
  }
}

/// Parameters of ShuffleChannel: with `group` g, channel `i · C/g + j` moves to `j · g + i`.
public struct ShuffleChannel: Hashable, Sendable {
  /// The number of groups of channels.
  public var group: Int
  /// Whether the channels move the other way.
  public var isReversed: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    group = try reader.size(0, "group", default: 1)
    isReversed = try reader.flag(1, "reverse")
  }
}

/// Parameters of PixelShuffle: C channels become C/f², and each pixel f × f pixels.
public struct PixelShuffle: Hashable, Sendable {
  /// f, the factor by which rows and columns grow.
  public var factor: Int
  /// Whether the channels that form an output channel are C/f² apart instead of adjacent.
  public var isInterleaved: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    factor = try reader.integer(0, "upscale_factor", default: 1, in: 1...(1 << 10))
    isInterleaved = try reader.flag(1, "mode")
  }
}
