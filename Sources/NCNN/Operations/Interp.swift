/// Parameters of Interp: resizing of rows and columns.
public struct Interp: Hashable, Sendable {
  /// How a new pixel is computed from old ones.
  public enum Method: Int, Hashable, Sendable {
    /// The pixel at the truncated position.
    case nearest = 1
    /// The weighted mean of the four pixels around it.
    case bilinear = 2
    /// A cubic through the sixteen pixels around it (Keys, 1981, with a = −¾).
    case bicubic = 3
  }

  /// The size of the result.
  public enum Target: Hashable, Sendable {
    /// The input's size multiplied and truncated.
    case scaled(height: Float, width: Float)
    /// A fixed number of rows and columns.
    case size(Extent)
    /// Columns and rows, computed from the sizes of the inputs; without rows, they keep their number.
    case expression(ShapeExpression)
    /// The rows and columns of a second input.
    case reference
  }

  /// How new pixels are computed.
  public var method: Method
  /// The size of the result.
  public var target: Target
  /// Whether the centres of the corner pixels stay in the corners; ignored for nearest.
  public var alignsCorners: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    let number = try reader.integer(0, "resize_type", default: 0, in: 0...3)
    guard let method = Method(rawValue: number) else {
      throw reader.failure(
        .unsupported, "Interp with resize_type \(number)",
        "1 (nearest), 2 (bilinear) or 3 (bicubic)")
    }
    self.method = method
    alignsCorners = try reader.flag(6, "align_corner")
    let sizes = 0...(1 << 20)
    let size = Extent(
      width: try reader.integer(4, "output_width", default: 0, in: sizes),
      height: try reader.integer(3, "output_height", default: 0, in: sizes))
    if let expression = try reader.expression(9, "size_expr", atMost: 2) {
      target = .expression(expression)
    } else if try reader.flag(5, "dynamic_target_size") {
      target = .reference
    } else if size.width > 0 && size.height > 0 {
      target = .size(size)
    } else {
      let height = try reader.real(1, "height_scale", default: 1)
      let width = try reader.real(2, "width_scale", default: 1)
      guard height > 0, width > 0, height < 65536, width < 65536 else {
        throw reader.refusal(
          "scales \(height) and \(width)", expected: "positive scales below 65536")
      }
      target = .scaled(height: height, width: width)
    }
  }
}
