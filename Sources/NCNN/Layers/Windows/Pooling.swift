/// Parameters of Pooling: the maximum or the average over windows of rows and columns.
package struct Pooling: Hashable, Sendable {
  /// How a window is reduced to one value.
  package enum Method: Int, Hashable, Sendable {
    /// The largest value.
    case maximum = 0
    /// The mean.
    case average = 1
  }

  /// How many windows there are, and where.
  package enum Windows: Hashable, Sendable {
    /// One, the whole channel; the output has one axis of C.
    case global
    /// This many along each axis, of nearly equal sizes; nil keeps the input's number.
    case adaptive(columns: Int?, rows: Int?)
    /// Sliding windows. `coversRest` is ncnn's full padding: the last window may reach beyond the
    /// border so that no input is left out.
    case sliding(kernel: Extent, stride: Extent, border: Border, coversRest: Bool)
  }

  /// How a window is reduced to one value.
  package var method: Method
  /// The windows.
  package var windows: Windows
  /// Whether pixels of the border count in an average.
  package var countsBorder: Bool
  /// The pads of sliding windows as the file gives them, always `.explicit`. With a SAME border
  /// they add nothing, but an average that does not count its border excludes this many pixels on
  /// each side of it.
  package var pads = Border.none

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

extension Pooling: SingleOutputKind {
  package var attributes: [LayerAttribute]? {
    let kind = method == .maximum ? "maximum" : "average"
    switch windows {
    case .global: return [("takes", "the \(kind) of each channel")]
    case .adaptive: return [("takes", "the \(kind) of windows that divide the input")]
    case .sliding(let kernel, let stride, _, _):
      return [("takes", "the \(kind)")] + windowAttributes(kernel, stride, .one)
    }
  }

  package var traits: LayerTraits {
    LayerTraits(
      fourAxes: .none, movement: method == .maximum ? .picks : .none, channels: .kept)
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .pooling(self) }

  /// C × H × W → C × H′ × W′; global: → C. With fewer axes, upstream reads out of bounds.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3 else {
      throw InferenceError(.shape, found: "shape \(input)", expected: "three axes")
    }
    switch windows {
    case .global:
      return [input[0]]
    case .adaptive(let columns, let rows):
      return [input[0], rows ?? input[1], columns ?? input[2]]
    case .sliding(let kernel, let stride, _, _):
      let size = borderedSize(input)
      guard size.rows >= kernel.height, size.columns >= kernel.width else {
        throw InferenceError(
          .shape, found: "shape \(input), with its border \(size.rows) × \(size.columns)",
          expected: "at least the window of \(kernel.height) × \(kernel.width)")
      }
      return [
        input[0], (size.rows - kernel.height) / stride.height + 1,
        (size.columns - kernel.width) / stride.width + 1,
      ]
    }
  }

  /// Rows and columns with the border and with what full padding adds at the bottom and the right.
  package func borderedSize(_ input: [Int]) -> (rows: Int, columns: Int) {
    guard case .sliding(let kernel, let stride, let border, let coversRest) = windows else {
      return (input[1], input[2])
    }
    var size = border.sizes(rows: input[1], columns: input[2], window: kernel, stride: stride)
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
    return switch windows {
    case .global: pooledGlobally(input)
    case .adaptive: pooledAdaptively(input, shape: shape)
    case .sliding(let kernel, let stride, let border, _):
      pooled(input, shape: shape, kernel: kernel, stride: stride, border: border)
    }
  }

  private func pooledGlobally(_ input: Tensor) -> Tensor {
    let size = input.rows * input.columns
    return Tensor(
      [input.channels],
      (0..<input.channels).map { summary(input.values[$0 * size..<($0 + 1) * size], of: size) })
  }

  /// Window i of n covers ⌊i · size / n⌋ up to ⌈(i + 1) · size / n⌉.
  private func pooledAdaptively(_ input: Tensor, shape: [Int]) -> Tensor {
    func window(_ index: Int, of count: Int, over size: Int) -> Range<Int> {
      let (index, count, size) = (Int64(index), Int64(count), Int64(size))
      return Int(size * index / count)..<Int((size * (index + 1) + count - 1) / count)
    }
    return Tensor(shape) { channel, y, x in
      var values: [Float] = []
      let columns = window(x, of: shape[2], over: input.columns)
      for row in window(y, of: shape[1], over: input.rows) {
        let start = (channel * input.rows + row) * input.columns
        values += input.values[start + columns.lowerBound..<start + columns.upperBound]
      }
      return summary(values[...], of: values.count)
    }
  }

  private func pooled(
    _ input: Tensor, shape: [Int], kernel: Extent, stride: Extent, border: Border
  ) -> Tensor {
    let sides = border.sides(
      rows: input.rows, columns: input.columns, window: kernel, stride: stride)
    let counted = countedPixels(input, sides)
    var window: [Float] = []
    return Tensor(shape) { channel, y, x in
      window.removeAll(keepingCapacity: true)
      let top = y * stride.height - sides.top
      let left = x * stride.width - sides.left
      let rows = (top..<top + kernel.height).clamped(to: counted.rows)
      let columns = (left..<left + kernel.width).clamped(to: counted.columns)
      for row in rows.clamped(to: 0..<input.rows) {
        let start = (channel * input.rows + row) * input.columns
        for column in columns.clamped(to: 0..<input.columns) {
          window.append(input.values[start + column])
        }
      }
      return summary(
        window[...],
        of: countsBorder ? kernel.width * kernel.height : rows.count * columns.count)
    }
  }

  /// The rows and columns that count in a window, in the blob's coordinates.
  private func countedPixels(
    _ input: Tensor, _ sides: (left: Int, right: Int, top: Int, bottom: Int)
  ) -> (rows: Range<Int>, columns: Range<Int>) {
    let whole = (rows: 0..<input.rows, columns: 0..<input.columns)
    guard method == .average, !countsBorder, isSame,
      case .explicit(let left, let right, let top, let bottom) = pads
    else { return whole }
    func range(_ start: Int, _ end: Int) -> Range<Int> { start..<max(start, end) }
    return (
      rows: range(top - sides.top, input.rows + sides.bottom - bottom),
      columns: range(left - sides.left, input.columns + sides.right - right)
    )
  }

  /// The divisor of an average where `countsEvenly`; nil means the number of values inside the
  /// blob.
  package var divisor: Int? {
    guard case .sliding(let kernel, _, _, _) = windows else { return nil }
    return countsBorder || isSame ? kernel.width * kernel.height : nil
  }

  /// Whether all values of the blob count in an average, and either all of the border or none.
  package var countsEvenly: Bool {
    method == .maximum || countsBorder || !isSame || pads == .none
  }

  /// Whether the border is SAME. In an average, ncnn counts it except for the file's pads; it
  /// counts an explicit border only where asked to.
  private var isSame: Bool {
    guard case .sliding(_, _, let border, _) = windows else { return false }
    return border == .sameUpper || border == .sameLower
  }

  /// The largest of a window's values, or their sum divided by a count. Pixels outside the blob
  /// count as the lowest finite number.
  private func summary(_ window: ArraySlice<Float>, of count: Int) -> Float {
    switch method {
    case .maximum: window.reduce(-.greatestFiniteMagnitude) { max($0, $1) }
    case .average: window.reduce(0, +) / Float(count)
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
      .windows(rows: .even(output[1], of: input[1]), columns: .even(output[2], of: input[2]))
    case .sliding(let kernel, let stride, let border, _):
      .windows(input, border, window: kernel, stride: stride)
    }
  }
}

extension PixelWindows.Reading {
  /// Windows of nearly equal sizes that cover all cells, as in adaptive pooling.
  fileprivate static func even(_ count: Int, of size: Int) -> Self {
    let divisor = greatestCommonDivisor(count, size)
    let (cells, step) = (count / divisor, size / divisor)
    return Self(cells: cells, step: step) {
      $0 * step / cells...(($0 + 1) * step + cells - 1) / cells - 1
    }
  }
}
