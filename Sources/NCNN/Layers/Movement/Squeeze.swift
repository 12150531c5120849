/// Parameters of Squeeze: a blob without some of its axes, by their numbers or by ncnn's names of them.
struct Squeeze: Hashable, Sendable {
  /// The selected axes.
  var axes: [AxisReference]

  init(_ reader: ParameterReader) throws(ModelError) {
    axes = try reader.integers(3, "axes", in: axisRange).map { .number($0) }
    guard axes.isEmpty else { return }
    let keys: [(Int, BlobAxis)] = [(0, .columns), (1, .rows), (11, .depth), (2, .channels)]
    for (key, name) in keys where try reader.flag(key, "squeeze") {
      axes.append(.named(name))
    }
  }
}

extension Squeeze: ReshapingKind {
  var traits: LayerTraits { LayerTraits(movement: .rearranges) }

  /// Selected axes of more elements stay; one axis of 1 where none remains.
  func outputShape(_ inputs: [[Int]]) -> [Int] {
    let axes = axes.compactMap { $0.index(among: inputs[0].count) }
    let rest = inputs[0].enumerated().filter { !axes.contains($0.offset) || $0.element > 1 }
    return rest.isEmpty ? [1] : rest.map { $0.element }
  }
}
