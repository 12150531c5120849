/// Parameters of PixelShuffle: C channels become C/f², and each pixel f × f pixels.
struct PixelShuffle: Hashable, Sendable {
  /// f, the factor by which rows and columns grow.
  var factor: Int
  /// Whether the channels that form an output channel are C/f² apart instead of adjacent.
  var isInterleaved: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    factor = try reader.integer(0, "upscale_factor", default: 1, in: 1...(1 << 10))
    isInterleaved = try reader.flag(1, "mode")
  }
}

extension PixelShuffle: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(fourAxes: .none, movement: .rearranges) }

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
