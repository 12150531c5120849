/// Parameters of PixelShuffle: C channels become C/f², and each pixel f × f pixels.
public struct PixelShuffle: Hashable, Sendable {
  /// f, by how much there are more rows and columns.
  public var factor: Int
  /// Whether the channels that become one lie C/f² apart, instead of side by side.
  public var isInterleaved: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    factor = try reader.integer(0, "upscale_factor", default: 1, in: 1...(1 << 10))
    isInterleaved = try reader.flag(1, "mode")
  }
}
