import NCNN

extension PixelShuffle {
  /// C × H × W → C/f² × f·H × f·W.
  func outputShape(_ input: [Int]) throws(InferenceError) -> [Int] {
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
  func apply(_ input: Tensor, shape: [Int]) -> Tensor {
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
}
