// SPDX-License-Identifier: Apache-2.0

/// Channels rearranged into pixels: C × H × W becomes C/f² × f·H × f·W (Shi et al., 2016).
///
/// Channel c · f² + i · f + j holds row i and column j of each f × f pixels of channel c; interleaved, channel
/// (i · f + j) · C/f² + c does.
struct PixelShuffle: SingleOutputKind, Hashable {
  let factor: Int
  let isInterleaved: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    factor = try reader.integer(0, "upscale_factor", default: 1, in: 1...(1 << 10))
    isInterleaved = try reader.flag(1, "mode")
  }

  var traits: LayerTraits { LayerTraits(fourAxes: nil, movement: .rearranges) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3, input[0] % (factor * factor) == 0,
      input[1...].allSatisfy({ $0 <= Int(Int32.max) / factor })
    else {
      throw .shape(
        "shape \(input)", expected: "three axes, and channels in groups of \(factor * factor)")
    }
    return [input[0] / (factor * factor), input[1] * factor, input[2] * factor]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let input = inputs[0]
    var result = Tensor(shape)
    for (channel, y) in (0..<shape[0]).lazy.flatMap({ channel in
      (0..<shape[1]).lazy.map { (channel, $0) }
    }) {
      for first in 0..<factor {
        let part = y % factor * factor + first
        let source = isInterleaved ? part * shape[0] + channel : channel * factor * factor + part
        let line = (source * input.rows + y / factor) * input.columns
        let target = (channel * shape[1] + y) * shape[2] + first
        for column in 0..<input.columns {
          result.values[target &+ column &* factor] = input.values[line &+ column]
        }
      }
    }
    return result
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading {
    let runs = PixelWindows.Reading(cells: factor) { $0 / factor...$0 / factor }
    return .windows(rows: runs, columns: runs)
  }
}
