import NCNN

extension Padding: SingleOutputKind {
  /// W → left + W + right; H × W and C × H × W likewise along their axes.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let before = before(axes: input.count)
    let after = Array([behind, bottom, right].suffix(input.count))
    for (index, size) in input.enumerated() where content == .reflected {
      guard before[index] < size, after[index] < size else {
        throw InferenceError(
          .shape, found: "a mirrored border of \(before) and \(after) around \(input)",
          expected: "less than the blob's own size on each side")
      }
    }
    let shape = input.indices.map { before[$0] + input[$0] + after[$0] }
    if case .constantPerChannel(let count) = content, input.count < 3 || count < shape[0] {
      throw InferenceError(
        .shape, found: "\(count) border values for shape \(shape)", expected: "one per channel")
    }
    return shape
  }

  /// The border before each axis, the outermost first.
  private func before(axes: Int) -> [Int] { Array([front, top, left].suffix(axes)) }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let missing = 3 - shape.count
    let sizes = Array(repeating: 1, count: missing) + input.shape
    let before = Array(repeating: 0, count: missing) + before(axes: shape.count)
    var result = Tensor(shape)
    var target = 0
    for c in 0..<result.channels {
      let channel = source(c - before[0], of: sizes[0])
      for y in 0..<result.rows {
        let row = source(y - before[1], of: sizes[1])
        for x in 0..<result.columns {
          if let channel, let row, let column = source(x - before[2], of: sizes[2]) {
            result.values[target] =
              input.values[(channel * sizes[1] + row) * sizes[2] + column]
          } else {
            result.values[target] = constant(channel: c, weights)
          }
          target += 1
        }
      }
    }
    return result
  }

  /// The position along an axis from which a position inside or outside takes its value; nil means
  /// the constant.
  private func source(_ position: Int, of size: Int) -> Int? {
    if (0..<size).contains(position) { return position }
    switch content {
    case .constant, .constantPerChannel: return nil
    case .replicated: return min(max(position, 0), size - 1)
    case .reflected: return position < 0 ? -position : 2 * (size - 1) - position
    }
  }

  private func constant(channel: Int, _ weights: [[Float]]) -> Float {
    switch content {
    case .constant(let value): value
    case .constantPerChannel: weights[0][channel]
    case .replicated, .reflected: 0
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output) }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    .windows(rows: .shifted(by: -top), columns: .shifted(by: -left))
  }
}
