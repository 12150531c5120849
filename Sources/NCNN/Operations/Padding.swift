/// Parameters of Padding: a border around a blob. A negative number takes that many away.
public struct Padding: Hashable, Sendable {
  /// What the border holds.
  public enum Content: Hashable, Sendable {
    /// One value.
    case constant(Float)
    /// One value per channel, stored in the weights.
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
  /// Columns on the left.
  public var left: Int
  /// Columns on the right.
  public var right: Int
  /// Channels before.
  public var front: Int
  /// Channels after.
  public var behind: Int
  /// What the border holds.
  public var content: Content
  /// The number of values among the weights, which only `Content.constantPerChannel` uses.
  var storedCount: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    func size(_ key: Int, _ name: String) throws(ModelError) -> Int {
      try reader.integer(key, name, default: 0, in: -(1 << 20)...(1 << 20))
    }
    top = try size(0, "top")
    bottom = try size(1, "bottom")
    left = try size(2, "left")
    right = try size(3, "right")
    front = try size(7, "front")
    behind = try size(8, "behind")
    storedCount = try reader.integer(6, "per_channel_pad_data_size", default: 0)
    switch try reader.integer(4, "type", default: 0, in: 0...2) {
    case 1: content = .replicated
    case 2: content = .reflected
    default:
      content =
        storedCount > 0
        ? .constantPerChannel(count: storedCount)
        : .constant(try reader.real(5, "value", default: 0))
    }
  }

  var weightRequests: [WeightRequest] {
    storedCount > 0 ? [WeightRequest("border values", count: storedCount)] : []
  }
}
