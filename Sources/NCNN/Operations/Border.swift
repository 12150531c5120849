/// A pair of numbers for the horizontal and the vertical direction.
public struct Extent: Hashable, Sendable {
  /// In columns, ncnn's `w`.
  public var width: Int
  /// In rows, ncnn's `h`.
  public var height: Int

  /// Makes a pair.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  package static let one = Extent(width: 1, height: 1)
}

/// The border that a convolution or a pooling adds around rows and columns.
public enum Border: Hashable, Sendable {
  /// A number of pixels on each side.
  case explicit(left: Int, right: Int, top: Int, bottom: Int)
  /// Enough for ⌈size / stride⌉ outputs; an odd pixel goes to the right and the bottom.
  case sameUpper
  /// As `sameUpper`, but an odd pixel goes to the left and the top.
  case sameLower

  /// No border.
  public static let none = explicit(left: 0, right: 0, top: 0, bottom: 0)
}

extension Extent {
  /// Reads the sizes of a window: the vertical one defaults to the horizontal one.
  init(
    _ reader: ParameterReader, _ widthKey: Int, _ heightKey: Int, _ name: String,
    default fallback: Int
  ) throws(ModelError) {
    let sizes = 1...(1 << 20)
    width = try reader.integer(widthKey, "\(name)_w", default: fallback, in: sizes)
    height = try reader.integer(heightKey, "\(name)_h", default: width, in: sizes)
  }
}

extension Border {
  private static let sameUpperMark = ParamFormat.placeholder
  private static let sameLowerMark = -234

  /// Reads the sizes, each of which defaults to the previous side, or SAME where all four sides
  /// have its marker.
  init(_ reader: ParameterReader, left: Int, top: Int, right: Int, bottom: Int) throws(ModelError) {
    func areAll(_ mark: Int) -> Bool {
      [left, top, right, bottom].allSatisfy { key in
        switch reader.parameters[key] {
        case nil: key != left
        case .integer(mark)?: true
        default: false
        }
      }
    }
    if areAll(Self.sameUpperMark) {
      self = .sameUpper
    } else if areAll(Self.sameLowerMark) {
      self = .sameLower
    } else {
      self = try .explicit(reader, left: left, top: top, right: right, bottom: bottom)
    }
  }

  /// Reads the sizes; none may be a marker.
  static func explicit(
    _ reader: ParameterReader, left: Int, top: Int, right: Int, bottom: Int
  ) throws(ModelError) -> Border {
    let sizes = 0...(1 << 20)
    let padLeft = try reader.integer(left, "pad_left", default: 0, in: sizes)
    let padTop = try reader.integer(top, "pad_top", default: padLeft, in: sizes)
    return .explicit(
      left: padLeft,
      right: try reader.integer(right, "pad_right", default: padLeft, in: sizes),
      top: padTop,
      bottom: try reader.integer(bottom, "pad_bottom", default: padTop, in: sizes))
  }
}
