import NCNN

/// Pairs the layers of two networks: by name, and layers whose name the other network lacks by
/// structure.
struct LayerPairing {
  /// In the order of the first network.
  private(set) var pairs: [(first: Layer, second: Layer)]
  private(set) var onlyInFirst, onlyInSecond: [Layer]
  /// The first network's names of the blobs that renamed layers of the second write, by the
  /// second's names.
  private let blobs: [String: String]

  init(_ first: Inspection, _ second: Inspection) {
    let (layers, others) = (first.network.layers, second.network.layers)
    let named = others.indices.reduce(into: [:]) { $0[others[$1].name] = $1 }
    var partners = layers.map { named[$0.name] }
    let taken = Set(partners.compactMap(\.self))
    partners.pairByStructure(
      layers.indices.filter { partners[$0] == nil }.map { ($0, LayerStructure(layers[$0], first)) },
      others.indices.filter { !taken.contains($0) }.map { ($0, LayerStructure(others[$0], second)) }
    )
    pairs = zip(layers, partners).compactMap { layer, partner in
      partner.map { (layer, others[$0]) }
    }
    onlyInFirst = zip(layers, partners).compactMap { $1 == nil ? $0 : nil }
    let paired = Set(partners.compactMap(\.self))
    onlyInSecond = others.indices.filter { !paired.contains($0) }.map { others[$0] }
    blobs = pairs.reduce(into: [:]) { blobs, pair in
      guard pair.first.name != pair.second.name else { return }
      for (name, other) in zip(pair.first.outputs, pair.second.outputs) { blobs[other] = name }
    }
  }

  /// Whether two layers read the same blobs, whatever the second network calls them.
  func readTheSame(_ first: Layer, _ second: Layer) -> Bool {
    first.inputs == second.inputs.map { blobs[$0] ?? $0 }
  }
}

/// A layer without its name, its connections and its weights.
private struct LayerStructure: Hashable {
  var kind: String
  var operation: NCNN.Operation
  /// For unknown kinds only; for the others, the operation holds the parameters.
  var parameters: Parameters?
  var inputCount: Int
  var outputs: [[Int]?]

  init(_ layer: Layer, _ inspection: Inspection) {
    kind = layer.kind
    operation = layer.operation
    parameters = layer.operation == .unknown ? layer.parameters : nil
    inputCount = layer.inputs.count
    outputs = layer.outputs.map(inspection.shape)
  }
}

extension [Int?] {
  /// Pairs layers of one network with layers of the same structure in another: from both ends while
  /// they match, so that an inserted layer does not shift the others, then each with the first
  /// match that is left.
  fileprivate mutating func pairByStructure(
    _ layers: [(index: Int, structure: LayerStructure)],
    _ others: [(index: Int, structure: LayerStructure)]
  ) {
    var (layers, others) = (layers[...], others[...])
    while let layer = layers.first, let other = others.first, layer.structure == other.structure {
      self[layer.index] = other.index
      layers.removeFirst()
      others.removeFirst()
    }
    while let layer = layers.last, let other = others.last, layer.structure == other.structure {
      self[layer.index] = other.index
      layers.removeLast()
      others.removeLast()
    }
    var left = Dictionary(grouping: others.reversed(), by: \.structure)
    for layer in layers { self[layer.index] = left[layer.structure]?.popLast()?.index }
  }
}
