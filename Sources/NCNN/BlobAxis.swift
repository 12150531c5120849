/// An axis of a blob, by ncnn's name. A blob has columns; rows and columns; channels, rows and columns;
/// or channels, depth, rows and columns.
public enum BlobAxis: Hashable, Sendable {
  /// `c`
  case channels
  /// `d`
  case depth
  /// `h`
  case rows
  /// `w`
  case columns

  /// The axis of ncnn's one-letter name.
  init?(_ name: Character) {
    switch name {
    case "c": self = .channels
    case "d": self = .depth
    case "h": self = .rows
    case "w": self = .columns
    default: return nil
    }
  }

  /// The axes of a blob with one to four of them, the outermost first.
  public static func axes(_ count: Int) -> [BlobAxis] {
    count == 4
      ? [.channels, .depth, .rows, .columns]
      : [.channels, .rows, .columns].suffix(count)
  }

  /// The size of a shape along the axis; 1 where the shape lacks it.
  public func size(in shape: [Int]) -> Int {
    zip(Self.axes(shape.count), shape).first { $0.0 == self }?.1 ?? 1
  }
}
