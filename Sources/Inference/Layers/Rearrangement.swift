import NCNN

extension Reshape: SingleOutputKind {
  /// The new sizes, with 0 and −1 resolved; 0 alone takes all elements.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let total = input.reduce(1, *)
    if sizes == [0] { return [total] }
    guard var shape = expression.map({ $0.sizes(for: input) }) ?? sizes,
      shape.allSatisfy({ $0 >= -1 }), shape.count(where: { $0 == -1 }) <= 1
    else { throw failure(input) }
    for index in shape.indices where shape[index] == 0 {
      // Axes match by name: w is the innermost of both the old and the new shape; an axis that the
      // input lacks counts as 1.
      let fromEnd = shape.count - 1 - index
      shape[index] = fromEnd < input.count ? input[input.count - 1 - fromEnd] : 1
    }
    if let open = shape.firstIndex(of: -1) {
      shape[open] = 1
      guard let known = elementCount(shape), total % known == 0 else { throw failure(input) }
      shape[open] = total / known
    }
    guard elementCount(shape) == total else { throw failure(input) }
    return shape
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(shape, inputs[0].values)
  }

  private func failure(_ input: [Int]) -> InferenceError {
    InferenceError(
      .shape, found: "shape \(input) to be reshaped to \(wanted(input))",
      expected: "as many elements")
  }

  private func wanted(_ input: [Int]) -> [Int] {
    expression.map { $0.sizes(for: input) ?? [] } ?? sizes
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    inputs[0] == output ? .sameElement : .moved
  }
}

/// All elements along one axis.
struct Flatten: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) -> [Int] { [inputs[0].reduce(1, *)] }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    Tensor(shape, inputs[0].values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .moved }
}

extension Permute: SingleOutputKind {
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    try sources(axes: inputs[0].count).map { inputs[0][$0] }
  }

  /// For each axis of the result, the outermost first, the axis of the input that it comes from.
  private func sources(axes: Int) throws(InferenceError) -> [Int] {
    switch (axes, order) {
    case (1, _), (2, 0), (3, 0): return Array(0..<axes)
    case (2, 1): return [1, 0]
    case (3, 1): return [0, 2, 1]
    case (3, 2): return [1, 0, 2]
    case (3, 3): return [1, 2, 0]
    case (3, 4): return [2, 0, 1]
    case (3, 5): return [2, 1, 0]
    default:
      throw InferenceError(
        .shape, found: "order \(order) of \(axes) axes",
        expected: "0 or 1 for two axes, 0 to 5 for three")
    }
  }

  /// The input with its axes in the new order.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    guard let sources = try? sources(axes: input.shape.count) else {
      preconditionFailure("the shape has been inferred")
    }
    var inputStrides = [Int](repeating: 1, count: input.shape.count)
    for axis in input.shape.indices.dropLast().reversed() {
      inputStrides[axis] = inputStrides[axis + 1] * input.shape[axis + 1]
    }
    let padding = 3 - shape.count
    let sizes = Array(repeating: 1, count: padding) + shape
    let strides = Array(repeating: 0, count: padding) + sources.map { inputStrides[$0] }
    var values: [Float] = []
    values.reserveCapacity(input.values.count)
    for c in 0..<sizes[0] {
      for y in 0..<sizes[1] {
        let start = c * strides[0] + y * strides[1]
        for x in 0..<sizes[2] { values.append(input.values[start + x * strides[2]]) }
      }
    }
    return Tensor(shape, values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

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

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

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
    var values: [Float] = []
    values.reserveCapacity(input.values.count)
    for channel in 0..<shape[0] {
      for y in 0..<shape[1] {
        for x in 0..<shape[2] {
          let part = y % factor * factor + x % factor
          let source =
            isInterleaved ? part * shape[0] + channel : channel * factor * factor + part
          values.append(
            input.values[(source * input.rows + y / factor) * input.columns + x / factor])
        }
      }
    }
    return Tensor(shape, values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

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
