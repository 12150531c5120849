// SPDX-License-Identifier: Apache-2.0

/// A border around a blob; a negative side takes rows or columns away.
struct Padding: SingleOutputKind, Hashable {
  enum Content: Hashable {
    case constant(Float)
    /// One value per channel, stored in the weights.
    case constantPerChannel
    /// The nearest pixel of the blob.
    case replicated
    /// The blob mirrored at its edge pixels, which are not repeated.
    case reflected
  }

  /// Channels, rows and columns before the blob.
  let before: [Int]
  /// Channels, rows and columns behind it.
  let behind: [Int]
  let content: Content
  /// The number of values among the weights, which only `Content.constantPerChannel` uses.
  let storedCount: Int

  init(_ reader: ParameterReader) throws(ModelError) {
    func size(_ key: Int, _ name: String) throws(ModelError) -> Int {
      try reader.integer(key, name, default: 0, in: -(1 << 20)...(1 << 20))
    }
    let (top, bottom) = (try size(0, "top"), try size(1, "bottom"))
    let (left, right) = (try size(2, "left"), try size(3, "right"))
    before = [try size(7, "front"), top, left]
    behind = [try size(8, "behind"), bottom, right]
    storedCount = try reader.integer(6, "per_channel_pad_data_size", default: 0)
    switch try reader.integer(4, "type", default: 0, in: 0...2) {
    case 1: content = .replicated
    case 2: content = .reflected
    case _ where storedCount > 0: content = .constantPerChannel
    default: content = .constant(try reader.real(5, "value", default: 0))
    }
  }

  var traits: LayerTraits {
    let movesInt8 =
      switch content {
      case .constant(let value): abs(value) <= 127 && value.rounded() == value
      case .replicated, .reflected: true
      case .constantPerChannel: false
      }
    return LayerTraits(
      weights: storedCount > 0
        ? [WeightRequest(name: "border values", shape: [storedCount], areConstants: true)] : [],
      movesInt8: movesInt8)
  }

  /// W → left + W + right; H × W and C × H × W likewise along their axes. Of four axes, the channels have no
  /// border. Negative sides cut off, up to the last element.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    let before = side(before, axes: input.count)
    let behind = side(behind, axes: input.count)
    for (index, size) in input.enumerated() {
      let most = content == .reflected ? size - 1 : .max
      let sides = [before[index], behind[index]]
      guard sides.allSatisfy({ $0 > -size && $0 <= most }), size + sides.reduce(0, +) > 0,
        content != .reflected || self.before[1] >= 0
      else {
        throw .shape(
          "a border of \(before) and \(behind) around \(input)",
          expected: "less than the blob's own size cut off or mirrored on each side, and no rows"
            + " cut off above if others are mirrored")
      }
    }
    let shape = input.indices.map { before[$0] + input[$0] + behind[$0] }
    if content == .constantPerChannel, input.count < 3 || storedCount < shape[0] {
      throw .shape("\(storedCount) border values for shape \(shape)", expected: "one per channel")
    }
    return shape
  }

  private func side(_ sizes: [Int], axes: Int) -> [Int] { ([0] + sizes).suffix(axes) }

  /// Upstream cuts the rows of a negative top off at the bottom, before it adds any.
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let sizes = fourAxes(inputs[0].shape, missing: 1)
    let before = fourAxes(side(before, axes: shape.count), missing: 0)
    let rows = sizes[2] + min(before[2], 0)
    return Tensor(appending: shape) { result in
      forEachRow(of: shape) { c, z, y in
        let channel = source(c - before[0], of: sizes[0])
        let slice = source(z - before[1], of: sizes[1])
        let row = source(y - max(before[2], 0), of: rows)
        let constant = constant(channel: shape.count == 4 ? c : z, weights)
        for x in 0..<shape[shape.count - 1] {
          if let channel, let slice, let row, let column = source(x - before[3], of: sizes[3]) {
            let line = (channel * sizes[1] + slice) * sizes[2] + row
            result.append(inputs[0].values[line * sizes[3] + column])
          } else {
            result.append(constant)
          }
        }
      }
    }
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
    .windows(rows: .shifted(by: -max(before[1], 0)), columns: .shifted(by: -before[2]))
  }
}
