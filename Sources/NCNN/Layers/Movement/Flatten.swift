// SPDX-License-Identifier: Apache-2.0

/// All elements along one axis.
struct Flatten: ReshapingKind, Hashable {
  var traits: LayerTraits { LayerTraits(movesInt8: true, movement: .rearranges) }

  func outputShape(_ inputs: [[Int]]) -> [Int] { [inputs[0].reduce(1, *)] }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .moved }
}
