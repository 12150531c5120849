import NCNN

/// A kind that gives the same elements another shape.
protocol ReshapingKind: SingleOutputKind {}

extension ReshapingKind {
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(shape, inputs[0].values)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    inputs[0] == output ? .sameElement : .moved
  }
}

extension Reshape: ReshapingKind {
  /// The new sizes, with 0 and −1 resolved; 0 alone takes all elements.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let total = input.reduce(1, *)
    let wanted = wanted(inputs)
    if wanted == [0] && inputBatchAxis == nil && outputBatchAxis == nil { return [total] }
    func failure() -> InferenceError {
      InferenceError(
        .shape, found: "shape \(input) to be reshaped to \(wanted)", expected: "as many elements")
    }
    guard wanted.allSatisfy({ $0 >= -1 }), wanted.count(where: { $0 == -1 }) <= 1 else {
      throw failure()
    }
    let kept = try keptSizes(input, count: wanted.count)
    var shape = wanted.indices.map { wanted[$0] == 0 && $0 < kept.count ? kept[$0] : wanted[$0] }
    if let outputBatchAxis {
      guard let axis = AxisReference.number(outputBatchAxis).index(among: shape.count) else {
        throw failure()
      }
      let batch = shape.remove(at: axis)
      guard batch == 1 || batch == -1 else {
        throw InferenceError(
          .unsupported, found: "a batch of \(batch) in \(wanted)", expected: "a batch of 1")
      }
    }
    if let open = shape.firstIndex(of: -1) {
      shape[open] = 1
      guard let known = elementCount(shape), total % known == 0 else { throw failure() }
      shape[open] = total / known
    }
    guard elementCount(shape) == total else { throw failure() }
    return shape
  }

  /// What a new size of 0 keeps. Axes match by name, w being the innermost of both shapes; or by number, where a
  /// batch is among them.
  private func keptSizes(_ input: [Int], count: Int) throws(InferenceError) -> [Int] {
    guard let inputBatchAxis else {
      return outputBatchAxis == nil ? BlobAxis.axes(count).map { $0.size(in: input) } : input
    }
    guard let axis = AxisReference.number(inputBatchAxis).index(among: input.count + 1) else {
      throw InferenceError(
        .shape, found: "a batch at axis \(inputBatchAxis) of shape \(input)",
        expected: "one of \(input.count + 1) axes")
    }
    return input[..<axis] + [1] + input[axis...]
  }

  /// The sizes as the parameters say; none where an expression has no value.
  private func wanted(_ inputs: [[Int]]) -> [Int] {
    expression.map { ($0.values(for: inputs) ?? []).reversed() } ?? sizes
  }
}

/// All elements along one axis.
struct Flatten: ReshapingKind {
  func outputShape(_ inputs: [[Int]]) -> [Int] { [inputs[0].reduce(1, *)] }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .moved }
}

extension Permute: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try sources(axes: inputs[0].count).map { inputs[0][$0] }
  }

  /// For each axis of the result, the outermost first, the axis of the input that it comes from.
  private func sources(axes: Int) throws(InferenceError) -> [Int] {
    let orders = (1...axes).reduce(1, *)
    guard axes == 1 || order < orders else {
      throw InferenceError(
        .shape, found: "order \(order) of \(axes) axes", expected: "one of 0 to \(orders - 1)")
    }
    var (left, rest, choices) = (Array(0..<axes), axes == 1 ? 0 : order, orders)
    return (0..<axes).map { axis in
      choices /= axes - axis
      defer { rest %= choices }
      return left.remove(at: rest / choices)
    }
  }

  /// The input with its axes in the new order.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    guard let sources = try? sources(axes: input.shape.count) else {
      preconditionFailure("the shape has been inferred")
    }
    let inputSteps = strides(of: input.shape)
    let steps = fourAxes(sources.map { inputSteps[$0] }, missing: 0)
    var values: [Float] = []
    values.reserveCapacity(input.values.count)
    forEachRow(of: shape) { channel, slice, row in
      let start = channel * steps[0] + slice * steps[1] + row * steps[2]
      for x in 0..<shape[shape.count - 1] { values.append(input.values[start + x * steps[3]]) }
    }
    return Tensor(shape, values)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    order == 0 ? .sameElement : .moved
  }
}

extension ShuffleChannel: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input[0] % group == 0 else {
      throw InferenceError(
        .shape, found: "shape \(input)", expected: "channels in \(group) equal groups")
    }
    return input
  }

  /// Channel i · C/g + j moves to j · g + i; reversed, it moves back.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let channels = input.shape[0]
    let size = input.values.count / channels
    var result = input
    for channel in 0..<channels {
      let target = target(of: channel, of: channels)
      for k in 0..<size { result.values[target * size + k] = input.values[channel * size + k] }
    }
    return result
  }

  /// Where a channel moves to.
  func target(of channel: Int, of channels: Int) -> Int {
    let columns = isReversed ? group : channels / group
    let (i, j) = channel.quotientAndRemainder(dividingBy: columns)
    return j * (channels / columns) + i
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}

extension PixelShuffle: SingleOutputKind {
  /// C × H × W → C/f² × f·H × f·W.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3, input[0] % (factor * factor) == 0,
      input[1...].allSatisfy({ $0 <= Int(Int32.max) / factor })
    else {
      throw InferenceError(
        .shape, found: "shape \(input)",
        expected: "three axes, and channels in groups of \(factor * factor)")
    }
    return [input[0] / (factor * factor), input[1] * factor, input[2] * factor]
  }

  /// Channel c · f² + i · f + j, or (i · f + j) · C/f² + c, holds row i and column j of each f × f pixels.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    return Tensor(shape) { channel, y, x in
      let part = y % factor * factor + x % factor
      let source = isInterleaved ? part * shape[0] + channel : channel * factor * factor + part
      return input.values[(source * input.rows + y / factor) * input.columns + x / factor]
    }
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    .windows(rows: .enlarged(by: factor), columns: .enlarged(by: factor))
  }
}

extension PixelWindows.Reading {
  /// Runs of `factor` cells read the same one.
  fileprivate static func enlarged(by factor: Int) -> Self {
    Self(cells: factor) { $0 / factor...$0 / factor }
  }
}
