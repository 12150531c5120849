// SPDX-License-Identifier: Apache-2.0

/// Pixels rearranged into channels, the reverse of PixelShuffle: C × H × W becomes f² · C × H/f × W/f.
struct Reorg: GatheringKind, Hashable {
  let factor: Int
  let isInterleaved: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    factor = try reader.integer(0, "stride", default: 1, in: 1...(1 << 10))
    isInterleaved = try reader.flag(1, "mode")
  }

  var traits: LayerTraits { LayerTraits(fourAxes: nil, movement: .rearranges) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    let input = inputs[0]
    guard input.count == 3, input[1] >= factor, input[2] >= factor else {
      throw .shape("shape \(input)", expected: "three axes of at least \(factor) pixels")
    }
    return [input[0] * factor * factor, input[1] / factor, input[2] / factor]
  }

  func places(_ input: [Int], shape: [Int]) -> [[Int]] {
    let (parts, columns) = (factor * factor, input[2])
    let channels = (0..<shape[0]).map { index in
      let (channel, part) =
        isInterleaved ? (index % input[0], index / input[0]) : (index / parts, index % parts)
      return (channel * input[1] + part / factor) * columns + part % factor
    }
    return [
      channels, (0..<shape[1]).map { $0 * factor * columns }, (0..<shape[2]).map { $0 * factor },
    ]
  }
}
