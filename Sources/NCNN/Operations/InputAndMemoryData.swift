/// The shape that a layer declares: ncnn's w, h, d and c, of which some may be absent.
public struct DeclaredShape: Hashable, Sendable {
  /// The sizes from the outermost axis in: `[w]`, `[h, w]`, `[c, h, w]` or `[c, d, h, w]`; empty
  /// where the file leaves the shape open.
  public var sizes: [Int]
  /// The channels where the file gives them, even if it leaves rows and columns open.
  public var channels: Int?

  init(_ reader: ParameterReader) throws(ModelError) {
    // A size of 0 or −1 means that it is known only at run time.
    let range = -1...Limits.integerParameter
    let width = try reader.integer(0, "w", default: 0, in: range)
    let height = try reader.integer(1, "h", default: 0, in: range)
    let depth = try reader.integer(11, "d", default: 0, in: range)
    let channels = try reader.integer(2, "c", default: 0, in: range)
    self.channels = channels > 0 ? channels : nil
    switch (width > 0, height > 0, depth > 0, channels > 0) {
    case (true, true, true, true): sizes = [channels, depth, height, width]
    case (true, true, false, true): sizes = [channels, height, width]
    case (true, true, false, false): sizes = [height, width]
    case (true, false, false, false): sizes = [width]
    default: sizes = []
    }
  }
}

/// Parameters of MemoryData: a blob that is stored in the weights.
public struct MemoryData: Hashable, Sendable {
  /// The blob's sizes from the outermost axis in.
  public var sizes: [Int]
  /// Whether a storage tag precedes the data.
  public var isTagged: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    sizes = try DeclaredShape(reader).sizes
    isTagged = try !reader.flag(21, "load_type", default: true)
    let count = sizes.reduce(Optional(1)) { product, size in
      product.flatMap { checkedProduct($0, size) }
    }
    guard !sizes.isEmpty, let count, count <= Limits.integerParameter else {
      throw reader.refusal(
        "shape \(sizes)", expected: "sizes whose product is 1…\(Limits.integerParameter)")
    }
  }

  var weightRequests: [WeightRequest] {
    [WeightRequest("data", count: sizes.reduce(1, *), isTagged: isTagged)]
  }
}
