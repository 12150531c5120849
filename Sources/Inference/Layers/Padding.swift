import NCNN

extension Padding: SingleOutputKind {
  /// W → left + W + right; H × W and C × H × W likewise along their axes. Of four axes, the channels have no
  /// border. Negative sides cut off, up to the last element.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let before = border(front, top, left, axes: input.count)
    let after = border(behind, bottom, right, axes: input.count)
    for (index, size) in input.enumerated() {
      let most = content == .reflected ? size - 1 : .max
      let sides = [before[index], after[index]]
      guard sides.allSatisfy({ $0 > -size && $0 <= most }), size + sides.reduce(0, +) > 0,
        content != .reflected || top >= 0
      else {
        throw InferenceError(
          .shape, found: "a border of \(before) and \(after) around \(input)",
          expected: "less than the blob's own size cut off or mirrored on each side, and no rows"
            + " cut off above if others are mirrored")
      }
    }
    let shape = input.indices.map { before[$0] + input[$0] + after[$0] }
    if case .constantPerChannel(let count) = content, input.count < 3 || count < shape[0] {
      throw InferenceError(
        .shape, found: "\(count) border values for shape \(shape)", expected: "one per channel")
    }
    return shape
  }

  private func border(_ outer: Int, _ rows: Int, _ columns: Int, axes: Int) -> [Int] {
    [0, outer, rows, columns].suffix(axes)
  }

  /// Upstream cuts the rows of a negative top off at the bottom, before it adds any.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    let sizes = fourAxes(input.shape, missing: 1)
    let before = fourAxes(border(front, top, left, axes: shape.count), missing: 0)
    let rows = sizes[2] + min(before[2], 0)
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    forEachRow(of: shape) { c, z, y in
      let channel = source(c - before[0], of: sizes[0])
      let slice = source(z - before[1], of: sizes[1])
      let row = source(y - max(before[2], 0), of: rows)
      let constant = constant(channel: shape.count == 4 ? c : z, weights)
      for x in 0..<shape[shape.count - 1] {
        if let channel, let slice, let row, let column = source(x - before[3], of: sizes[3]) {
          values.append(
            input.values[((channel * sizes[1] + slice) * sizes[2] + row) * sizes[3] + column])
        } else {
          values.append(constant)
        }
      }
    }
    return Tensor(shape, values)
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

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    .windows(rows: .shifted(by: -max(top, 0)), columns: .shifted(by: -left))
  }
}
