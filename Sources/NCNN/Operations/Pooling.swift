/// Parameters of Pooling: the maximum or the average over windows of rows and columns.
public struct Pooling: Hashable, Sendable {
  /// How a window is reduced to one value.
  public enum Method: Int, Hashable, Sendable {
    /// The largest value.
    case maximum = 0
    /// The mean.
    case average = 1
  }

  /// How many windows there are, and where.
  public enum Windows: Hashable, Sendable {
    /// One, the whole channel; the output has one axis of C.
    case global
    /// This many along each axis, of nearly equal sizes; nil keeps the input's number.
    case adaptive(columns: Int?, rows: Int?)
    /// Sliding windows. `coversRest` is ncnn's full padding: the last window may reach beyond the
    /// border so that no input is left out.
    case sliding(kernel: Extent, stride: Extent, border: Border, coversRest: Bool)
  }

  /// How a window is reduced to one value.
  public var method: Method
  /// The windows.
  public var windows: Windows
  /// Whether pixels of the border count in an average.
  public var countsBorder: Bool
  /// The pads of sliding windows as the file gives them, always `.explicit`. With a SAME border
  /// they add nothing, but an average that does not count its border excludes this many pixels on
  /// each side of it.
  public var pads = Border.none

  init(_ reader: ParameterReader) throws(ModelError) {
    method = try reader.flag(0, "pooling_type") ? .average : .maximum
    countsBorder = try reader.flag(6, "avgpool_count_include_pad")
    if try reader.flag(4, "global_pooling") {
      windows = .global
    } else if try reader.flag(7, "adaptive_pooling") {
      let columns = try Self.outputSize(reader, 8, "out_w", default: 0)
      let rows = try Self.outputSize(
        reader, 18, "out_h", default: columns ?? ParamFormat.placeholder)
      windows = .adaptive(columns: columns, rows: rows)
    } else {
      let mode = try reader.integer(5, "pad_mode", default: 0, in: 0...3)
      pads = try .explicit(reader, left: 3, top: 13, right: 14, bottom: 15)
      let border: Border =
        switch mode {
        case 2: .sameUpper
        case 3: .sameLower
        default: pads
        }
      windows = .sliding(
        kernel: try Extent(reader, 1, 11, "kernel", default: 0),
        stride: try Extent(reader, 2, 12, "stride", default: 1),
        border: border, coversRest: mode == 0)
    }
  }

  private static func outputSize(
    _ reader: ParameterReader, _ key: Int, _ name: String, default fallback: Int
  ) throws(ModelError) -> Int? {
    let placeholder = ParamFormat.placeholder
    let size = try reader.integer(key, name, default: fallback, in: placeholder...(1 << 20))
    if size == placeholder { return nil }
    guard size > 0 else {
      throw reader.refusal("\(name) \(size)", expected: "a positive size or \(placeholder)")
    }
    return size
  }
}
