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
