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
