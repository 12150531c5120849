// SPDX-License-Identifier: Apache-2.0

/// Rows and columns resized: C × H × W → C × H′ × W′.
///
/// With two axes, only the columns are resized; a single axis of C is repeated over C × H′ × W′.
package struct Interp: SingleOutputKind, Hashable {
  /// How a new pixel is computed from old ones, numbered as in ncnn.
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
    case size(Extent)
    /// Columns and rows, computed from the sizes of the inputs; without rows, they keep their number.
    case expression(ShapeExpression)
    /// The rows and columns of a second input.
    case reference
  }

  package let method: Method
  package let target: Target
  /// Whether the centres of the corner pixels stay in the corners; ignored for nearest.
  let alignsCorners: Bool

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

  package var traits: LayerTraits {
    let inputs =
      switch target {
      case .expression(let expression): ShapeExpression.layerInputs(expression.inputCount)
      case .reference: 2...2
      case .scaled, .size: 1...1
      }
    return LayerTraits(
      inputs: inputs, fourAxes: 1..., movement: method == .nearest ? .picks : .none,
      channels: .kept)
  }

  package var attributes: [LayerAttribute]? {
    let size: LayerAttribute =
      switch target {
      case .scaled(let height, let width): ("scale", "\(height) in rows, \(width) in columns")
      case .size(let size): ("size", size.text)
      case .expression: ("size", "computed from those of its inputs")
      case .reference: ("size", "that of the second input")
      }
    return [("method", ["nearest", "bilinear", "bicubic"][method.rawValue - 1]), size]
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .resize(self) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let rows = input.count == 3 ? input[1] : 1
    let columns = input.count > 1 ? input[input.count - 1] : 1
    let new: (rows: Int, columns: Int)
    switch target {
    case .size(let size): new = (size.height, size.width)
    case .reference: new = (inputs[1].dropLast().last ?? 1, inputs[1].last ?? 1)
    case .scaled(let height, let width):
      let newColumns = try scaled(columns, by: width)
      new = (input.count == 2 ? rows : try scaled(rows, by: height), newColumns)
    case .expression(let expression):
      let sizes = expression.values(for: inputs) ?? []
      guard !sizes.isEmpty, sizes.allSatisfy((1...1 << 20).contains) else {
        throw .shape(
          "shapes \(inputs) to be resized to \(sizes)",
          expected: "1 to \(1 << 20) columns and rows")
      }
      new = (sizes.count > 1 ? sizes[1] : rows, sizes[0])
    }
    return input.count == 2 ? [input[0], new.columns] : [input[0], new.rows, new.columns]
  }

  private func scaled(_ size: Int, by factor: Float) throws(InferenceError) -> Int {
    guard let scaled = Int(exactly: (Float(size) * factor).rounded(.towardZero)), scaled > 0 else {
      throw .shape("\(size) pixels scaled by \(factor)", expected: "at least one pixel")
    }
    return scaled
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    if input.shape.count == 1 {
      return Tensor(shape) { channel, _, _ in input.values[channel] }
    }
    if shape == input.shape && method != .bicubic { return input }
    let axes = axes(from: input.shape, to: shape)
    func line(_ channel: Int, _ row: Int) -> Int { (channel * input.rows + row) * input.columns }
    switch method {
    case .nearest:
      let (rows, columns) = (axes.rows.nearest, axes.columns.nearest)
      return Tensor(shape) { channel, y, x in input.values[line(channel, rows[y]) + columns[x]] }
    case .bilinear:
      let (rows, columns) = (axes.rows.linear, axes.columns.linear)
      return Tensor(shape) { channel, y, x in
        let (row, column) = (rows[y], columns[x])
        func mean(_ row: Int) -> Float {
          let start = line(channel, row)
          return input.values[start + column.first] * (1 - column.weight)
            + input.values[start + column.second] * column.weight
        }
        return mean(row.first) * (1 - row.weight) + mean(row.second) * row.weight
      }
    case .bicubic:
      let (rows, columns) = (axes.rows.cubic, axes.columns.cubic)
      return Tensor(appending: shape) { values in
        for channel in 0..<input.channels {
          let lines = (0..<input.rows).flatMap { row in
            let start = line(channel, row)
            return columns.map { taps in taps.sum { input.values[start + $0] } }
          }
          for taps in rows { taps.appendSums(of: lines, width: columns.count, to: &values) }
        }
      }
    }
  }

  /// Its rows and columns.
  package func axes(from old: [Int], to new: [Int]) -> (rows: ResizedAxis, columns: ResizedAxis) {
    func axis(_ old: Int, _ new: Int, _ scale: Float?) -> ResizedAxis {
      ResizedAxis(method: method, alignsCorners: alignsCorners, scale: scale, old: old, new: new)
    }
    var scale: (rows: Float?, columns: Float?)
    if case .scaled(let height, let width) = target { scale = (height, width) }
    // With two axes, rows are not resized, and their scale may be any number.
    if old.count == 2 { scale.rows = nil }
    return (
      axis(old[old.count - 2], new[new.count - 2], scale.rows),
      axis(old[old.count - 1], new[new.count - 1], scale.columns)
    )
  }

  /// Whether each pixel is repeated twice in both directions. Positions are exact up to 2²⁴.
  package func doublesPixels(from old: [Int], to new: [Int]) -> Bool {
    guard method == .nearest, new == [old[0], 2 * old[1], 2 * old[2]] else { return false }
    let axes = axes(from: old, to: new)
    return [axes.rows, axes.columns].allSatisfy { $0.new <= 1 << 24 && $0.step == 0.5 }
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
      if method == .bicubic {
        let lines = [inputs[0][inputs[0].count - 2], output[output.count - 1]]
        cost.scratchElements += product(lines)
        cost.steps += 4 * product(lines + inputs[0].dropLast(2))
      }
    }
    return cost
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    guard inputs[0].count > 1 else { return .irregular }
    let axes = axes(from: inputs[0], to: output)
    guard let columns = axes.columns.reading,
      let rows = output.count == 2 ? .shifted(by: 0) : axes.rows.reading
    else { return .irregular }
    return .windows(rows: rows, columns: columns)
  }
}

/// Rows or columns that are resized.
package struct ResizedAxis {
  fileprivate let method: Interp.Method
  fileprivate let alignsCorners: Bool
  /// What the file gives; nil where the sizes imply it.
  fileprivate let scale: Float?
  fileprivate let old: Int
  fileprivate let new: Int

  /// Old pixels from one new pixel to the next, by the given scale, not by the one that the
  /// truncated size implies.
  fileprivate var step: Double { scale.map { 1 / Double($0) } ?? Double(old) / Double(new) }

  /// For each new row or column, the old one: ⌊position / scale⌋.
  package var nearest: [Int] {
    if scale == nil && old == new { return Array(0..<new) }
    let step = Float(step)
    return (0..<new).map { min(Int(Float($0) * step), old - 1) }
  }

  /// For each new row or column, the old ones around it.
  package var linear: [LinearSample] { positions.map { LinearSample(at: $0, of: old) } }

  fileprivate var cubic: [CubicTaps] { positions.map { CubicTaps(at: $0, of: old) } }

  /// The positions of the new pixels' centres among the old ones. With aligned corners the first and
  /// the last pixel stay in place; along an axis that keeps its size, all do, unless upstream's
  /// bicubic scale says otherwise.
  private var positions: [Float] {
    (0..<new).map { index in
      if old == new && method != .bicubic { return Float(index) }
      if alignsCorners {
        return Float(Double(index) * (new > 1 ? Double(old - 1) / Double(new - 1) : 0))
      }
      return Float((Double(index) + 0.5) * step - 0.5)
    }
  }

  /// How new cells read old ones, in integers; nil where there are none.
  fileprivate var reading: PixelWindows.Reading? {
    if old == new && method != .bicubic { return .shifted(by: 0) }
    let margin = method == .bicubic ? 1 : 0
    if method != .nearest && alignsCorners {
      return .between(
        cells: max(1, new - 1), step: new == 1 ? 1 : old - 1, offset: 0, margin: margin)
    }
    guard let (cells, step) = ratio else { return nil }
    // The centre of cell i lies at (i + 1/2) · step / cells − 1/2.
    return method == .nearest
      ? PixelWindows.Reading(cells: cells, step: step) { $0 * step / cells...$0 * step / cells }
      : .between(cells: 2 * cells, step: 2 * step, offset: step - cells, margin: margin)
  }

  /// The ratio of new pixels to old ones as small integers.
  private var ratio: (cells: Int, step: Int)? {
    guard let scale else {
      let divisor = greatestCommonDivisor(old, new)
      return (new / divisor, old / divisor)
    }
    for step in 1...64 {
      if let cells = Int(exactly: Float(step) * scale), cells > 0 { return (cells, step) }
    }
    return nil
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

/// Two neighbouring rows or columns, and the weight of the second one, in [0, 1].
package struct LinearSample {
  package let first: Int
  /// At the end, the first one again.
  package let second: Int
  package let weight: Float

  /// The pixels around a position, which is clamped to the nearest pixel where it lies outside.
  fileprivate init(at position: Float, of size: Int) {
    let clamped = min(max(position, 0), Float(size - 1))
    first = min(Int(clamped), size - 1)
    second = min(first + 1, size - 1)
    weight = clamped - Float(first)
  }
}

/// The weight of a pixel by its distance from a place (Keys, 1981, with a = −¾).
enum Cubic {
  private static let a: Float = -0.75

  /// For distances up to 1.
  static func near(_ x: Float) -> Float { ((a + 2) * x - (a + 3)) * x * x + 1 }

  /// For distances from 1 to 2.
  static func far(_ x: Float) -> Float { ((a * x - 5 * a) * x + 8 * a) * x - 4 * a }
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
    let (w0, w1, w2) = (Cubic.far(1 + rest), Cubic.near(rest), Cubic.near(1 - rest))
    weights = SIMD4(w0, w1, w2, 1 - (w0 + w1 + w2))
  }

  func sum(_ value: (Int) -> Float) -> Float {
    var sum: Float = 0
    for tap in 0..<4 { sum += value(indices[tap]) * weights[tap] }
    return sum
  }

  /// Appends the weighted sums of four of some lines.
  func appendSums(of lines: [Float], width: Int, to values: inout [Float]) {
    var sums = [Float](repeating: 0, count: width)
    for tap in 0..<4 {
      let line = lines[indices[tap] * width..<(indices[tap] + 1) * width]
      let weight = weights[tap]
      line.withUnsafeBufferPointer { line in
        // A loop without traps, which is compiled to vectors.
        for column in sums.indices { sums[column] += line[column] * weight }
      }
    }
    values += sums
  }
}
