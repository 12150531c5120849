// SPDX-License-Identifier: Apache-2.0

/// Channels exchanged among groups (Zhang et al., 2018): with `group` g, channel i · C/g + j moves to j · g + i.
package struct ShuffleChannel: SingleOutputKind, Hashable {
  let group: Int
  /// Whether the channels move the other way.
  let isReversed: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    group = try reader.size(0, "group", default: 1)
    isReversed = try reader.flag(1, "reverse")
  }

  package var traits: LayerTraits {
    LayerTraits(movement: .rearranges, channels: .shuffled(group: group, isReversed: isReversed))
  }

  package var attributes: [LayerAttribute]? { [("groups", "\(group)")] }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .shuffle(self) }

  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard inputs[0][0] % group == 0 else {
      throw .shape("shape \(inputs[0])", expected: "channels in \(group) equal groups")
    }
    return inputs[0]
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let size = inputs[0].values.count / shape[0]
    var result = inputs[0]
    for channel in 0..<shape[0] {
      let target = target(of: channel, of: shape[0])
      for k in 0..<size { result.values[target * size + k] = inputs[0].values[channel * size + k] }
    }
    return result
  }

  /// Where a channel moves to.
  package func target(of channel: Int, of channels: Int) -> Int {
    let columns = isReversed ? group : channels / group
    let (i, j) = channel.quotientAndRemainder(dividingBy: columns)
    return j * (channels / columns) + i
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}
