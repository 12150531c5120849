import NCNN

extension Border {
  /// The numbers of rows and columns once the border is added.
  func sizes(rows: Int, columns: Int, window: Extent, stride: Extent) -> (rows: Int, columns: Int) {
    let sides = sides(rows: rows, columns: columns, window: window, stride: stride)
    return (rows + sides.top + sides.bottom, columns + sides.left + sides.right)
  }

  /// The border on each side.
  func sides(
    rows: Int, columns: Int, window: Extent, stride: Extent
  ) -> (left: Int, right: Int, top: Int, bottom: Int) {
    if case .explicit(let left, let right, let top, let bottom) = self {
      return (left, right, top, bottom)
    }
    let lack = Border.lack(rows: rows, columns: columns, window: window, stride: stride)
    let (across, down) = (max(0, lack.across), max(0, lack.down))
    return self == .sameUpper
      ? (across / 2, across - across / 2, down / 2, down - down / 2)
      : (across - across / 2, across / 2, down - down / 2, down / 2)
  }
}

extension Border {
  /// The columns and rows by which SAME windows reach beyond a blob; negative where the stride
  /// leaves some of it out.
  private static func lack(
    rows: Int, columns: Int, window: Extent, stride: Extent
  ) -> (across: Int, down: Int) {
    (
      window.width + (columns - 1) / stride.width * stride.width - columns,
      window.height + (rows - 1) / stride.height * stride.height - rows
    )
  }

  /// - Throws: `InferenceError` where SAME would add columns and leave rows out, or the reverse:
  ///   upstream then makes a negative border along one axis, and reads and writes out of bounds.
  func requireOneSense(
    rows: Int, columns: Int, window: Extent, stride: Extent
  ) throws(InferenceError) {
    if case .explicit = self { return }
    let lack = Border.lack(rows: rows, columns: columns, window: window, stride: stride)
    guard lack.across.signum() * lack.down.signum() >= 0 else {
      throw InferenceError(
        .shape,
        found: """
          a SAME border of \(lack.across) columns and \(lack.down) rows around \(columns) × \(rows)
          """, expected: "not one negative and the other positive")
    }
  }
}

/// A blob of C × H × W, or of H × W taken as one channel, with a border of a constant value around
/// rows and columns.
func bordered(
  _ input: Tensor, _ border: Border, value: Float, window: Extent, stride: Extent
) -> Tensor {
  let sides = border.sides(rows: input.rows, columns: input.columns, window: window, stride: stride)
  let rows = input.rows + sides.top + sides.bottom
  let columns = input.columns + sides.left + sides.right
  if rows == input.rows && columns == input.columns {
    return Tensor([input.channels, rows, columns], input.values)
  }
  var result = Tensor([input.channels, rows, columns], repeating: value)
  for channel in 0..<input.channels {
    for y in 0..<input.rows {
      let from = (channel * input.rows + y) * input.columns
      let to = (channel * rows + y + sides.top) * columns + sides.left
      for x in 0..<input.columns { result.values[to + x] = input.values[from + x] }
    }
  }
  return result
}
