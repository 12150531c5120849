/// Parameters of Interp: resizing of rows and columns.
package struct Interp: Hashable, Sendable {
  /// How a new pixel is computed from old ones.
  package enum Method: Int, Hashable, Sendable {
    /// The pixel at the truncated position.
    case nearest = 1
    /// The weighted mean of the four pixels around it.
    case bilinear = 2
    /// A cubic through the sixteen pixels around it (Keys, 1981, with a = −¾).
    case bicubic = 3
  }

  /// The size of the result.
  package enum Target: Hashable, Sendable {
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
  package var method: Method
  /// The size of the result.
  package var target: Target
  /// Whether the centres of the corner pixels stay in the corners; ignored for nearest.
  package var alignsCorners: Bool

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

extension Interp: SingleOutputKind {
  package var attributes: [LayerAttribute]? {
    let kind =
      switch method {
      case .nearest: "nearest"
      case .bilinear: "bilinear"
      case .bicubic: "bicubic"
      }
    switch target {
    case .scaled(let height, let width):
      return [("method", kind), ("scale", "\(height) in rows, \(width) in columns")]
    case .size(let size): return [("method", kind), ("size", size.text)]
    case .expression: return [("method", kind), ("size", "computed from those of its inputs")]
    case .reference: return [("method", kind), ("size", "that of the second input")]
    }
  }

  package var traits: LayerTraits {
    let inputs =
      switch target {
      case .expression(let expression): ShapeExpression.layerInputs(expression.inputCount)
      case .reference: 2...2
      case .scaled, .size: 1...1
      }
    return LayerTraits(
      inputs: inputs, fourAxes: .sizesOnly, movement: method == .nearest ? .picks : .none,
      channels: .kept)
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .resize(self) }

  /// C × H × W → C × H′ × W′. With two axes, only the columns are resized; a single axis of C is
  /// repeated over C × H′ × W′.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let columns = input.count > 1 ? input[input.count - 1] : 1
    let rows = input.count == 3 ? input[1] : 1
    let newColumns: Int
    var newRows = rows
    switch target {
    case .size(let size): (newColumns, newRows) = (size.width, size.height)
    case .reference:
      let reference = inputs[1]
      newColumns = reference[reference.count - 1]
      if input.count != 2 { newRows = reference.count > 1 ? reference[reference.count - 2] : 1 }
    case .scaled(let height, let width):
      newColumns = try scaled(columns, by: width)
      if input.count != 2 { newRows = try scaled(rows, by: height) }
    case .expression(let expression):
      guard let sizes = expression.values(for: inputs),
        sizes.allSatisfy({ (1...1 << 20).contains($0) })
      else {
        throw InferenceError(
          .shape,
          found: "shapes \(inputs) to be resized to \(expression.values(for: inputs) ?? [])",
          expected: "1 to \(1 << 20) columns and rows")
      }
      newColumns = sizes[0]
      if sizes.count > 1 { newRows = sizes[1] }
    }
    return input.count == 2 ? [input[0], newColumns] : [input[0], newRows, newColumns]
  }

  private func scaled(_ size: Int, by factor: Float) throws(InferenceError) -> Int {
    guard let scaled = Int(exactly: (Float(size) * factor).rounded(.towardZero)), scaled > 0 else {
      throw InferenceError(
        .shape, found: "\(size) pixels scaled by \(factor)", expected: "at least one pixel")
    }
    return scaled
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    if input.shape.count == 1 {
      let size = shape[1] * shape[2]
      return Tensor(shape, input.values.flatMap { Array(repeating: $0, count: size) })
    }
    if shape == input.shape && method != .bicubic { return input }
    return switch method {
    case .nearest: nearest(input, shape)
    case .bilinear: bilinear(input, shape)
    case .bicubic: bicubic(input, shape)
    }
  }

  /// For each new row or column, the old one: ⌊position / scale⌋.
  package func nearestSources(vertically: Bool, from oldSize: Int, to newSize: Int) -> [Int] {
    let step = Float(step(vertically: vertically, from: oldSize, to: newSize))
    return (0..<newSize).map { min(Int(Float($0) * step), oldSize - 1) }
  }

  /// Whether each pixel is repeated twice in both directions. Positions are exact up to 2²⁴.
  package func doublesPixels(from old: [Int], to new: [Int]) -> Bool {
    method == .nearest && new == [old[0], 2 * old[1], 2 * old[2]]
      && [1, 2].allSatisfy { axis in
        new[axis] <= 1 << 24
          && step(vertically: axis == 1, from: old[axis], to: new[axis]) == 0.5
      }
  }

  /// For each new row and column, the old ones around it.
  package func bilinearSamples(
    from old: (rows: Int, columns: Int), to new: (rows: Int, columns: Int)
  ) -> (rows: [LinearSample], columns: [LinearSample]) {
    (
      positions(new.rows, vertically: true, from: old.rows).map {
        LinearSample(at: $0, of: old.rows)
      },
      positions(new.columns, vertically: false, from: old.columns).map {
        LinearSample(at: $0, of: old.columns)
      }
    )
  }

  private func nearest(_ input: Tensor, _ shape: [Int]) -> Tensor {
    // With two axes, rows are not resized, and their scale may be any number.
    let rows =
      shape.count == 2
      ? Array(0..<input.rows) : nearestSources(vertically: true, from: input.rows, to: shape[1])
    let columns = nearestSources(vertically: false, from: input.columns, to: shape[shape.count - 1])
    return Tensor(shape) { channel, y, x in
      input.values[(channel * input.rows + rows[y]) * input.columns + columns[x]]
    }
  }

  /// The weighted mean of the four pixels around it.
  private func bilinear(_ input: Tensor, _ shape: [Int]) -> Tensor {
    let (rows, columns) = bilinearSamples(
      from: (input.rows, input.columns), to: (shape[shape.count - 2], shape[shape.count - 1]))
    return Tensor(shape) { channel, y, x in
      let (row, column) = (rows[y], columns[x])
      func mean(_ row: Int) -> Float {
        let start = (channel * input.rows + row) * input.columns
        return input.values[start + column.first] * (1 - column.weight)
          + input.values[start + column.second] * column.weight
      }
      return mean(row.first) * (1 - row.weight) + mean(row.second) * row.weight
    }
  }

  /// Old pixels from one new pixel to the next, by the given scale, not by the one that the
  /// truncated size implies.
  private func step(vertically: Bool, from oldSize: Int, to newSize: Int) -> Double {
    switch target {
    case .size, .expression, .reference: Double(oldSize) / Double(newSize)
    case .scaled(let height, let width): 1 / Double(vertically ? height : width)
    }
  }

  private func bicubic(_ input: Tensor, _ shape: [Int]) -> Tensor {
    let rowPositions =
      shape.count == 2
      ? (0..<input.rows).map { Float($0) }
      : positions(shape[1], vertically: true, from: input.rows)
    let rows = rowPositions.map { CubicTaps(at: $0, of: input.rows) }
    let columns = positions(shape[shape.count - 1], vertically: false, from: input.columns).map {
      CubicTaps(at: $0, of: input.columns)
    }
    return Tensor(shape) { channel, y, x in
      rows[y].sum { row in
        let start = (channel * input.rows + row) * input.columns
        return columns[x].sum { input.values[start + $0] }
      }
    }
  }

  /// The positions of the new pixels' centres among the old ones. With aligned corners the first and
  /// the last pixel stay in place; along an axis that keeps its size, all do, unless upstream's
  /// bicubic scale says otherwise.
  private func positions(_ count: Int, vertically: Bool, from oldSize: Int) -> [Float] {
    let step = step(vertically: vertically, from: oldSize, to: count)
    return (0..<count).map { index in
      if oldSize == count && method != .bicubic { return Float(index) }
      if alignsCorners {
        return Float(Double(index) * (count > 1 ? Double(oldSize - 1) / Double(count - 1) : 0))
      }
      return Float((Double(index) + 0.5) * step - 0.5)
    }
  }

  /// The samples around each new pixel, and the tables of them: four bytes count as an element.
  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    let (steps, bytes) =
      switch method {
      case .nearest: (1, MemoryLayout<Int>.stride)
      case .bilinear: (4, MemoryLayout<LinearSample>.stride)
      case .bicubic: (16, MemoryLayout<CubicTaps>.stride)
      }
    var cost = Cost.perElement(of: output, steps: Int64(steps))
    if inputs[0].count > 1 {
      cost.scratchElements = output.suffix(2).reduce(0) { $0 + Int64($1) } * Int64(bytes / 4)
    }
    return cost
  }
}

extension Interp {
  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    let input = inputs[0]
    guard input.count > 1,
      let columns = reading(
        vertically: false, from: input[input.count - 1], to: output[output.count - 1]),
      let rows = input.count == 3
        ? reading(vertically: true, from: input[1], to: output[1]) : .shifted(by: 0)
    else { return .irregular }
    return .windows(rows: rows, columns: columns)
  }

  private func reading(vertically: Bool, from old: Int, to new: Int) -> PixelWindows.Reading? {
    if old == new && method != .bicubic { return .shifted(by: 0) }
    let margin = method == .bicubic ? 1 : 0
    if method != .nearest && alignsCorners {
      return .between(
        cells: max(1, new - 1), step: new == 1 ? 1 : old - 1, offset: 0, margin: margin)
    }
    guard let (cells, step) = ratio(vertically: vertically, from: old, to: new) else { return nil }
    return switch method {
    case .nearest:
      PixelWindows.Reading(cells: cells, step: step) { $0 * step / cells...$0 * step / cells }
    // The centre of cell i lies at (i + 1/2) · step / cells − 1/2.
    case .bilinear, .bicubic:
      .between(cells: 2 * cells, step: 2 * step, offset: step - cells, margin: margin)
    }
  }

  /// The ratio of new pixels to old ones as small integers; nil where there are none.
  private func ratio(vertically: Bool, from old: Int, to new: Int) -> (cells: Int, step: Int)? {
    switch target {
    case .size, .expression, .reference:
      let divisor = greatestCommonDivisor(old, new)
      return (new / divisor, old / divisor)
    case .scaled(let height, let width):
      for step in 1...64 {
        let cells = Int(exactly: Float(step) * (vertically ? height : width))
        if let cells, cells > 0 { return (cells, step) }
      }
      return nil
    }
  }
}

/// Four neighbouring pixels and their weights; at the edge, the last pixel is repeated.
private struct CubicTaps {
  private let indices: SIMD4<Int>
  private let weights: SIMD4<Float>

  init(at position: Float, of size: Int) {
    let first = Int(position.rounded(.down))
    let rest = position - Float(first)
    indices = (SIMD4(-1, 0, 1, 2) &+ first)
      .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: size - 1))
    let a: Float = -0.75
    func near(_ x: Float) -> Float { ((a + 2) * x - (a + 3)) * x * x + 1 }
    func far(_ x: Float) -> Float { ((a * x - 5 * a) * x + 8 * a) * x - 4 * a }
    let (w0, w1, w2) = (far(1 + rest), near(rest), near(1 - rest))
    weights = SIMD4(w0, w1, w2, 1 - (w0 + w1 + w2))
  }

  func sum(_ value: (Int) -> Float) -> Float {
    var sum: Float = 0
    for tap in 0..<4 { sum += value(indices[tap]) * weights[tap] }
    return sum
  }
}

/// Two neighbouring rows or columns, and the weight of the second one, in [0, 1].
package struct LinearSample {
  package var first: Int
  /// At the end, the first one again.
  package var second: Int
  package var weight: Float

  /// The pixels around a position, which is clamped to the nearest pixel where it lies outside.
  fileprivate init(at position: Float, of size: Int) {
    let clamped = min(max(position, 0), Float(size - 1))
    let first = min(Int(clamped), size - 1)
    self.first = first
    second = min(first + 1, size - 1)
    weight = clamped - Float(first)
  }
}

extension PixelWindows.Reading {
  /// Cell i reads the cells on both sides of (i · step + offset) / cells, or the one at it, and
  /// `margin` more on each side.
  fileprivate static func between(cells: Int, step: Int, offset: Int, margin: Int) -> Self {
    let divisor = greatestCommonDivisor(cells, step)
    return Self(cells: cells / divisor, step: step / divisor) {
      let position = $0 * step + offset
      return floorQuotient(position, cells) - margin...margin - floorQuotient(-position, cells)
    }
  }
}
