/// Parameters of ShuffleChannel: with `group` g, channel `i · C/g + j` moves to `j · g + i`.
package struct ShuffleChannel: Hashable, Sendable {
  /// The number of groups of channels.
  package var group: Int
  /// Whether the channels move the other way.
  package var isReversed: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    group = try reader.size(0, "group", default: 1)
    isReversed = try reader.flag(1, "reverse")
  }
}

extension ShuffleChannel: SingleOutputKind {
  package var traits: LayerTraits {
    LayerTraits(
      movement: .rearranges, channels: .shuffled(group: group, isReversed: isReversed))
  }

  package var attributes: [LayerAttribute]? { [("groups", "\(group)")] }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .shuffle(self) }

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
  package func target(of channel: Int, of channels: Int) -> Int {
    let columns = isReversed ? group : channels / group
    let (i, j) = channel.quotientAndRemainder(dividingBy: columns)
    return j * (channels / columns) + i
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}
