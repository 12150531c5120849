// SPDX-License-Identifier: Apache-2.0
import YOLOFaceFormatting
@_spi(Tool) import YOLOFaceNCNN

struct ModelComparison {
  struct Model {
    var name: String
    var totals: InspectReport.Totals
    var outputs: [InspectReport.Blob]
    /// The number of layers that cannot be run.
    var notSupported: Int

    init(_ inspection: Inspection) {
      let report = InspectReport(inspection)
      (name, totals, outputs) = (report.model, report.totals, report.outputs)
      notSupported = report.notSupported.count + report.notFitting.count
    }
  }

  /// A layer that both networks have, and its differences.
  struct Difference: Encodable {
    struct Change: Encodable {
      var what, first, second: String
    }

    /// In the first network.
    var name, kind: String
    /// In the second network, if it differs.
    var otherName: String?
    var changes: [Change]
    /// The largest difference of any weight, clamped to fp32's range; absent if all are equal, the
    /// counts differ, or the weights are not known.
    var weightDifference: Double?
  }

  struct Single: Encodable {
    var name, kind: String

    init(_ layer: Layer) { (name, kind) = (layer.name, layer.kind) }
  }

  struct Renamed: Encodable {
    var name, otherName, kind: String
  }

  var first, second: Model
  var renamed: [Renamed]
  var differing: [Difference]
  var onlyInFirst, onlyInSecond: [Single]
  var comparesWeights: Bool

  init(_ first: Inspection, _ second: Inspection) {
    (self.first, self.second) = (Model(first), Model(second))
    let pairing = LayerPairing(first, second)
    renamed = pairing.pairs.filter { $0.first.name != $0.second.name }.map {
      Renamed(name: $0.first.name, otherName: $0.second.name, kind: $0.first.kind)
    }
    differing = pairing.pairs.compactMap {
      Difference(
        $0.first, first, $0.second, second,
        readTheSame: pairing.readTheSame($0.first, $0.second))
    }
    onlyInFirst = pairing.onlyInFirst.map(Single.init)
    onlyInSecond = pairing.onlyInSecond.map(Single.init)
    comparesWeights = first.hasWeights && second.hasWeights
  }

  /// A table of the totals, then a line for the renamed layers and one for each layer that differs.
  func forEachLine(_ put: (String) throws -> Void) rethrows {
    try totals.forEach(put)
    try renamedText.forEach(put)
    try differing.lazy.map(\.text).forEach(put)
    try onlyInFirst.lazy.map { "only in the first: \($0.kind) \($0.name)" }.forEach(put)
    try onlyInSecond.lazy.map { "only in the second: \($0.kind) \($0.name)" }.forEach(put)
    try put(verdict)
  }

  var json: JSONPieces {
    .object([
      "first": first.json, "second": second.json, "renamed": .list(renamed),
      "differing": .list(differing), "onlyInFirst": .list(onlyInFirst),
      "onlyInSecond": .list(onlyInSecond), "comparesWeights": .value(comparesWeights),
    ])
  }

  private var renamedText: [String] {
    if renamed.isEmpty { return [] }
    let examples = renamed.prefix(3).map { "\($0.name) is \($0.otherName)" }
    return [
      "renamed in the second: \(renamed.count), paired by kind, settings and shape: "
        + examples.joined(separator: ", ") + (renamed.count > 3 ? ", and so on" : "")
    ]
  }

  private var totals: some Sequence<String> {
    func row(_ title: String, _ value: (Model) -> String) -> [String] {
      [title, value(first), value(second)]
    }
    return tableLines([
      row("") { $0.name },
      row("layers") { "\($0.totals.layers)" },
      row("not supported") { "\($0.notSupported)" },
      row("parameters") { "\($0.totals.parameters)" },
      row("multiply-adds") { "\($0.totals.multiplyAdds)" },
      row("outputs") { $0.outputs.map(\.text).joined(separator: ", ") },
    ])
  }

  private var verdict: String {
    let isSame = differing.isEmpty && onlyInFirst.isEmpty && onlyInSecond.isEmpty
    let names = renamed.isEmpty ? "" : " except for names"
    switch (isSame, comparesWeights) {
    case (true, true): return "the same\(names): all layers, settings and weights"
    case (true, false):
      return "the same layers and settings\(names); to compare the weights, give both .bin files"
    case (false, _):
      let common = first.totals.layers - onlyInFirst.count
      return """
        layers in both: \(common), of which \(differing.count) differ; \
        only in the first: \(onlyInFirst.count), only in the second: \(onlyInSecond.count)\
        \(comparesWeights ? "" : "; weights not compared")
        """
    }
  }
}

extension ModelComparison.Model {
  fileprivate var json: JSONPieces {
    .object([
      "name": .text(quotedJSON(name)), "totals": .value(totals),
      "outputs": .list(outputs.lazy.map(\.json)), "notSupported": .value(notSupported),
    ])
  }
}

extension ModelComparison.Difference {
  /// Nil if only the name differs, or nothing.
  init?(
    _ one: Layer, _ first: Inspection, _ other: Layer, _ second: Inspection, readTheSame: Bool
  ) {
    (name, kind, changes) = (one.name, one.kind, [])
    otherName = one.name == other.name ? nil : other.name
    weightDifference = WeightArray.largestDifference(one.unscaledWeights, other.unscaledWeights)
    func add(_ what: String, _ first: [String], _ second: [String]) {
      guard first != second else { return }
      changes.append(
        Change(
          what: what, first: first.joined(separator: ", "), second: second.joined(separator: ", ")))
    }
    func shapes(_ layer: Layer, _ inspection: Inspection) -> [String] {
      layer.outputs.map { inspection.shape($0)?.text ?? "?" }
    }
    add("kind", [one.kind], [other.kind])
    // If the kind is known, a default that only one of the files spells out makes no difference.
    if one.operation != other.operation || !one.operation.isKnown {
      let pairs = (one.parameters.pairs, other.parameters.pairs)
      add(
        "settings", pairs.0.filter { !pairs.1.contains($0) }.map(\.text),
        pairs.1.filter { !pairs.0.contains($0) }.map(\.text))
    }
    if !readTheSame { add("reads", one.inputs, other.inputs) }
    if otherName == nil { add("writes", one.outputs, other.outputs) }
    add("output", shapes(one, first), shapes(other, second))
    add("scales", one.scales, other.scales)
    add("parameters", ["\(one.parameterCount)"], ["\(other.parameterCount)"])
    if changes.isEmpty && weightDifference == nil { return nil }
  }

  var text: String {
    func shown(_ text: String) -> String { text.isEmpty ? "-" : text }
    let changes = changes.map { "\($0.what) \(shown($0.first)) -> \(shown($0.second))" }
    let weights = weightDifference.map { ["weights by up to \(Float($0))"] } ?? []
    let names = otherName.map { "\(name), in the second \($0)" } ?? name
    return "differs: \(kind) \(names): \((changes + weights).joined(separator: "; "))"
  }
}

extension Layer {
  /// The scales of int8, as text; none where the layer computes in floats.
  fileprivate var scales: [String] {
    guard let quantization else { return [] }
    return ["input \(quantization.inputScale)"]
      + (quantization.outputScale.map { ["output \($0)"] } ?? [])
  }
}

/// Pairs the layers of two networks, in the order of the first: by name, and layers whose name the other network lacks
/// by structure.
private struct LayerPairing {
  let pairs: [(first: Layer, second: Layer)]
  let onlyInFirst, onlyInSecond: [Layer]
  /// The first network's names of the blobs that renamed layers of the second write, by the second's names.
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
  var operation: LayerOperation
  /// For unknown kinds only; for the others, the operation holds the parameters.
  var parameters: Parameters?
  var inputCount: Int
  var outputs: [[Int]?]

  init(_ layer: Layer, _ inspection: Inspection) {
    kind = layer.kind
    operation = layer.operation
    parameters = layer.operation.isKnown ? nil : layer.parameters
    inputCount = layer.inputs.count
    outputs = layer.outputs.map(inspection.shape)
  }
}

extension [Int?] {
  /// Pairs layers of one network with layers of the same structure in another: from both ends while they match, so that
  /// an inserted layer does not shift the others, then each with the first match that is left.
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
