/// Pixels rearranged into channels: the reverse of PixelShuffle.
struct Reorg: SingleOutputKind, Hashable {
  let factor: Int
  let isInterleaved: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    factor = try reader.integer(0, "stride", default: 1, in: 1...(1 << 10))
    isInterleaved = try reader.flag(1, "mode")
  }

  var traits: LayerTraits { LayerTraits(fourAxes: .none, movement: .rearranges) }

  /// C × H × W → f² · C × H/f × W/f.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3, input[1] >= factor, input[2] >= factor else {
      throw InferenceError(
        .shape, found: "shape \(input)", expected: "three axes of at least \(factor) pixels")
    }
    return [input[0] * factor * factor, input[1] / factor, input[2] / factor]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let (rows, columns) = (inputs[0].rows, inputs[0].columns)
    let parts = factor * factor
    let channels = (0..<shape[0]).map { index in
      let (channel, part) =
        isInterleaved
        ? (index % inputs[0].channels, index / inputs[0].channels)
        : (index / parts, index % parts)
      return (channel * rows + part / factor) * columns + part % factor
    }
    return inputs[0].gathered(
      shape,
      [
        channels, (0..<shape[1]).map { $0 * factor * columns }, (0..<shape[2]).map { $0 * factor },
      ])
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost { .moving(output) }
}
