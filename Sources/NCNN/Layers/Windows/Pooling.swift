// SPDX-License-Identifier: Apache-2.0

/// The maximum or the average of each channel over windows of rows and columns: C × H × W → C × H′ × W′, or C
/// for one window over all.
package struct Pooling: SingleOutputKind, Hashable {
  package enum Method: Hashable, Sendable { case maximum, average }

  package enum Windows: Hashable, Sendable {
    /// One, the whole channel.
    case global
    /// This many along each axis, of nearly equal sizes; nil keeps the input's number.
    case adaptive(columns: Int?, rows: Int?)
    /// Sliding windows. `coversRest` is ncnn's full padding: the last window may reach beyond the
    /// border so that no input is left out.
    case sliding(kernel: Extent, stride: Extent, border: Border, coversRest: Bool)
  }

  package let method: Method
  package let windows: Windows
  /// Whether pixels of the border count in an average.
  let countsBorder: Bool
  /// The pads of sliding windows as the file gives them, always `.explicit`. With a SAME border
  /// they add nothing, but an average that does not count its border excludes this many pixels on
  /// each side of it.
  private(set) var pads = Border.none

  init(_ reader: ParameterReader) throws(ModelError) {
    method = try reader.flag(0, "pooling_type") ? .average : .maximum
    countsBorder = try reader.flag(6, "avgpool_count_include_pad")
    if try reader.flag(4, "global_pooling") {
      windows = .global
    } else if try reader.flag(7, "adaptive_pooling") {
      func count(_ key: Int, _ name: String, default fallback: Int) throws(ModelError) -> Int? {
        try reader.optional(key, name, default: fallback, in: 1...(1 << 20), "a positive size")
      }
      let columns = try count(8, "out_w", default: 0)
      let rows = try count(18, "out_h", default: columns ?? ParamFormat.placeholder)
      windows = .adaptive(columns: columns, rows: rows)
    } else {
      let mode = try reader.integer(5, "pad_mode", default: 0, in: 0...3)
      pads = try .explicit(reader, left: 3, top: 13, right: 14, bottom: 15)
      windows = .sliding(
        kernel: try Extent(reader, 1, 11, "kernel", default: 0),
        stride: try Extent(reader, 2, 12, "stride", default: 1),
        border: mode == 2 ? .sameUpper : mode == 3 ? .sameLower : pads, coversRest: mode == 0)
    }
  }

  package var traits: LayerTraits {
    LayerTraits(fourAxes: nil, movement: method == .maximum ? .picks : .none, channels: .kept)
  }

  package var attributes: [LayerAttribute]? {
    let kind = method == .maximum ? "maximum" : "average"
    switch windows {
    case .global: return [("takes", "the \(kind) of each channel")]
    case .adaptive: return [("takes", "the \(kind) of windows that divide the input")]
    case .sliding(let kernel, let stride, _, _):
      return [("takes", "the \(kind)")] + windowAttributes(kernel, stride, .one)
    }
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .pooling(self) }

  /// With fewer axes, upstream reads out of bounds.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3 else {
      throw InferenceError(.shape, found: "shape \(input)", expected: "three axes")
    }
    switch windows {
    case .global: return [input[0]]
    case .adaptive(let columns, let rows): return [input[0], rows ?? input[1], columns ?? input[2]]
    case .sliding(let kernel, let stride, _, _):
      return [input[0]] + (try kernel.windows(over: borderedSize(input), of: input, stride: stride))
    }
  }

  /// Rows and columns with the border and with what full padding adds at the bottom and the right.
  package func borderedSize(_ input: [Int]) -> (rows: Int, columns: Int) {
    guard case .sliding(let kernel, let stride, let border, let coversRest) = windows else {
      return (input[1], input[2])
    }
    var size = border.sizes(of: input, window: kernel, stride: stride)
    if coversRest {
      let restRows = (size.rows - kernel.height) % stride.height
      let restColumns = (size.columns - kernel.width) % stride.width
      if restRows > 0 { size.rows += stride.height - restRows }
      if restColumns > 0 { size.columns += stride.width - restColumns }
    }
    return size
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let (allRows, allColumns) = (0..<input.rows, 0..<input.columns)
    switch windows {
    case .global:
      return Tensor(shape) { _, _, channel in
        summary(input, channel, allRows, allColumns, of: input.rows * input.columns)
      }
    case .adaptive:
      return Tensor(shape) { channel, y, x in
        let rows = evenWindow(y, of: shape[1], over: input.rows)
        let columns = evenWindow(x, of: shape[2], over: input.columns)
        return summary(input, channel, rows, columns, of: rows.count * columns.count)
      }
    case .sliding(let kernel, let stride, let border, _):
      let sides = border.sides(
        rows: input.rows, columns: input.columns, window: kernel, stride: stride)
      let counted = countedPixels(input, sides)
      return Tensor(shape) { channel, y, x in
        let top = y * stride.height - sides.top
        let left = x * stride.width - sides.left
        let rows = (top..<top + kernel.height).clamped(to: counted.rows)
        let columns = (left..<left + kernel.width).clamped(to: counted.columns)
        return summary(
          input, channel, rows.clamped(to: allRows), columns.clamped(to: allColumns),
          of: countsBorder ? kernel.area : rows.count * columns.count)
      }
    }
  }

  /// The largest of a window's values, or their sum divided by a count. Pixels outside the blob
  /// count as the lowest finite number.
  private func summary(
    _ input: Tensor, _ channel: Int, _ rows: Range<Int>, _ columns: Range<Int>, of count: Int
  ) -> Float {
    var summary = method == .maximum ? -Float.greatestFiniteMagnitude : 0
    for row in rows {
      let start = (channel * input.rows + row) * input.columns
      for column in columns {
        let value = input.values[start + column]
        summary = method == .maximum ? max(summary, value) : summary + value
      }
    }
    return method == .maximum ? summary : summary / Float(count)
  }

  /// Window i of n covers ⌊i · size / n⌋ up to ⌈(i + 1) · size / n⌉.
  private func evenWindow(_ index: Int, of count: Int, over size: Int) -> Range<Int> {
    let (index, count, size) = (Int64(index), Int64(count), Int64(size))
    return Int(size * index / count)..<Int((size * (index + 1) + count - 1) / count)
  }

  private func evenReading(_ count: Int, of size: Int) -> PixelWindows.Reading {
    let divisor = greatestCommonDivisor(count, size)
    return PixelWindows.Reading(cells: count / divisor, step: size / divisor) {
      let window = evenWindow($0, of: count, over: size)
      return window.lowerBound...window.upperBound - 1
    }
  }

  /// The elements of all windows together.
  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let input = inputs[0]
    let area: Int64 =
      switch windows {
      case .global: product([input[1], input[2]])
      case .adaptive: product([input[1] / output[1] + 2, input[2] / output[2] + 2])
      case .sliding(let kernel, _, _, _): product([kernel.width, kernel.height])
      }
    // Sides of kernels are at most 2²⁰; the limit keeps the product with an output in 64 bits.
    return .perElement(of: output, steps: min(area, 1 << 30))
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    let input = inputs[0]
    return switch windows {
    case .global: .wholeInput
    case .adaptive:
      .windows(
        rows: evenReading(output[1], of: input[1]), columns: evenReading(output[2], of: input[2]))
    case .sliding(let kernel, let stride, let border, _):
      border.reading(input, window: kernel, stride: stride)
    }
  }
}

/// What counts in an average: ncnn counts a SAME border except for the file's pads, and an explicit one only
/// where asked to.
extension Pooling {
  private var isSame: Bool {
    if case .sliding(_, _, let border, _) = windows { border.isSame } else { false }
  }

  /// Whether all values of the blob count in an average, and either all of the border or none.
  package var countsEvenly: Bool { method == .maximum || countsBorder || !isSame || pads == .none }

  /// The divisor of an average where `countsEvenly`; nil means the number of values inside the
  /// blob.
  package var divisor: Int? {
    guard case .sliding(let kernel, _, _, _) = windows else { return nil }
    return countsBorder || isSame ? kernel.area : nil
  }

  /// The rows and columns that count in a window, in the blob's coordinates.
  private func countedPixels(
    _ input: Tensor, _ sides: (left: Int, right: Int, top: Int, bottom: Int)
  ) -> (rows: Range<Int>, columns: Range<Int>) {
    guard method == .average, !countsBorder, isSame,
      case .explicit(let left, let right, let top, let bottom) = pads
    else { return (0..<input.rows, 0..<input.columns) }
    func range(_ start: Int, _ end: Int) -> Range<Int> { start..<max(start, end) }
    return (
      rows: range(top - sides.top, input.rows + sides.bottom - bottom),
      columns: range(left - sides.left, input.columns + sides.right - right)
    )
  }
}
