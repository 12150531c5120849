// SPDX-License-Identifier: Apache-2.0

/// The border that a convolution or a pooling adds around rows and columns.
package enum Border: Hashable, Sendable {
  /// A number of pixels on each side.
  case explicit(left: Int, right: Int, top: Int, bottom: Int)
  /// Enough for ⌈size / stride⌉ outputs; an odd pixel goes to the right and the bottom.
  case sameUpper
  /// As `sameUpper`, but an odd pixel goes to the left and the top.
  case sameLower

  package static let none = explicit(left: 0, right: 0, top: 0, bottom: 0)

  var isSame: Bool { self == .sameUpper || self == .sameLower }

  /// Reads the sizes, which default to the previous side, or SAME where all four are its mark, −233 or −234.
  init(_ reader: ParameterReader, left: Int, top: Int, right: Int, bottom: Int) throws(ModelError) {
    let others = [top, right, bottom].compactMap { reader.parameters[$0] }
    // A value may be text from outside, which is not to be compared.
    func areAll(_ mark: Int) -> Bool {
      others.allSatisfy { if case .integer(mark) = $0 { true } else { false } }
    }
    switch reader.parameters[left] {
    case .integer(ParamFormat.placeholder)? where areAll(ParamFormat.placeholder): self = .sameUpper
    case .integer(-234)? where areAll(-234): self = .sameLower
    default: self = try .explicit(reader, left: left, top: top, right: right, bottom: bottom)
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

  /// What it adds, for people to read; nil for nothing.
  var words: String? {
    switch self {
    case .none: nil
    case .explicit(let left, let right, let top, let bottom):
      Set([left, right, top, bottom]).count == 1
        ? "\(left) on each side" : "left \(left), right \(right), top \(top), bottom \(bottom)"
    case .sameUpper: "to the input's size, more at the end"
    case .sameLower: "to the input's size, more at the start"
    }
  }
}

extension Border {
  /// The border on each side.
  package func sides(
    rows: Int, columns: Int, window: Extent, stride: Extent
  ) -> (left: Int, right: Int, top: Int, bottom: Int) {
    if case .explicit(let left, let right, let top, let bottom) = self {
      return (left, right, top, bottom)
    }
    let across = max(0, lack(columns, window.width, stride.width))
    let down = max(0, lack(rows, window.height, stride.height))
    return self == .sameUpper
      ? (across / 2, across - across / 2, down / 2, down - down / 2)
      : (across - across / 2, across / 2, down - down / 2, down / 2)
  }

  /// By how many positions SAME windows reach beyond a blob; negative where the stride leaves some out.
  private func lack(_ size: Int, _ window: Int, _ stride: Int) -> Int {
    window + (size - 1) / stride * stride - size
  }

  /// The numbers of rows and columns once the border is added.
  package func sizes(
    rows: Int, columns: Int, window: Extent, stride: Extent
  ) -> (rows: Int, columns: Int) {
    let sides = sides(rows: rows, columns: columns, window: window, stride: stride)
    return (rows + sides.top + sides.bottom, columns + sides.left + sides.right)
  }

  /// The same for a shape; one of a single axis has one row.
  func sizes(of shape: [Int], window: Extent, stride: Extent) -> (rows: Int, columns: Int) {
    sizes(rows: rows(shape), columns: shape.last ?? 1, window: window, stride: stride)
  }

  private func rows(_ shape: [Int]) -> Int { shape.dropLast().last ?? 1 }

  /// - Throws: `InferenceError` where SAME would add columns and leave rows out, or the reverse:
  ///   upstream then makes a negative border along one axis, and reads and writes out of bounds.
  func checkedSizes(
    of shape: [Int], window: Extent, stride: Extent
  ) throws(InferenceError) -> (rows: Int, columns: Int) {
    let (rows, columns) = (rows(shape), shape.last ?? 1)
    if isSame {
      let across = lack(columns, window.width, stride.width)
      let down = lack(rows, window.height, stride.height)
      guard across.signum() * down.signum() >= 0 else {
        throw InferenceError(
          .shape,
          found: "a SAME border of \(across) columns and \(down) rows around \(columns) × \(rows)",
          expected: "not one negative and the other positive")
      }
    }
    return sizes(rows: rows, columns: columns, window: window, stride: stride)
  }

  /// How windows read an input of a shape.
  func reading(_ shape: [Int], window: Extent, stride: Extent) -> CellReading {
    let sides = sides(rows: rows(shape), columns: shape.last ?? 1, window: window, stride: stride)
    return .windows(
      rows: .window(of: window.height, stride: stride.height, borderBefore: sides.top),
      columns: .window(of: window.width, stride: stride.width, borderBefore: sides.left))
  }

  /// A blob of C × H × W, or of H × W taken as one channel, with the border, which holds one value.
  func added(to input: Tensor, value: Float, window: Extent, stride: Extent) -> Tensor {
    let sides = sides(rows: input.rows, columns: input.columns, window: window, stride: stride)
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
}
