// SPDX-License-Identifier: Apache-2.0

/// A blob without those of some axes that have one element.
struct Squeeze: ReshapingKind, Hashable {
  let axes: [AxisReference]

  init(_ reader: ParameterReader) throws(ModelError) {
    var axes = try reader.integers(3, "axes", in: axisRange).map { AxisReference.number($0) }
    if axes.isEmpty {
      let keys: [(Int, BlobAxis)] = [(0, .columns), (1, .rows), (11, .depth), (2, .channels)]
      for (key, name) in keys where try reader.flag(key, "squeeze") { axes.append(.named(name)) }
    }
    self.axes = axes
  }

  /// One axis of 1 where none remains.
  func outputShape(_ inputs: [[Int]]) -> [Int] {
    let axes = axes.compactMap { $0.index(among: inputs[0].count) }
    let rest = inputs[0].enumerated().filter { !axes.contains($0.offset) || $0.element > 1 }
    return rest.isEmpty ? [1] : rest.map { $0.element }
  }
}
