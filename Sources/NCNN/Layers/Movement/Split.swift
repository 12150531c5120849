// SPDX-License-Identifier: Apache-2.0

/// Copies of a blob, which share its storage.
struct Split: LayerKind, Hashable {
  var traits: LayerTraits {
    LayerTraits(outputs: 1...Int.max, movesInt8: true, movement: .rearranges, channels: .kept)
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .copies }

  func outputShapes(_ inputs: [[Int]], count: Int) -> [[Int]] {
    Array(repeating: inputs[0], count: count)
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shapes: [[Int]]) -> [Tensor] {
    Array(repeating: inputs[0], count: shapes.count)
  }

  func cost(inputs: [[Int]], outputs: [[Int]]) -> Cost { Cost() }

  func readings(inputs: [[Int]], outputs: [[Int]]) -> [CellReading] {
    Array(repeating: .sameElement, count: outputs.count)
  }
}
