// SPDX-License-Identifier: Apache-2.0
import YOLOFace
import YOLOFaceFormatting
@_spi(Tool) import YOLOFaceInference
import YOLOFaceNCNN

struct InspectReport {
  struct Blob {
    var name: String
    var shape: [Int]?
  }

  struct Layer {
    var line: Int
    var kind, name: String
    var inputs: [String]
    var outputs: [Blob]
    /// What the layer's parameters say, such as `kernel 3 × 3`.
    var attributes: [String]
    var parameters: Int
    var multiplyAdds: Int64
    /// Empty if they are not known.
    var weights: [StoredWeights]
    /// Absent if the layer does not compute in int8, or the weights are not known.
    var int8: ScaleSummary?
  }

  struct Totals: Encodable {
    var layers, blobs, parameters: Int
    var multiplyAdds: Int64
  }

  var model: String
  var inputs, outputs: [Blob]
  var family: FaceFamily?
  var layers: [Layer]
  /// The layers' indices in an order in which they can run.
  var order: [Int]
  /// The layer that makes a blob, and the blob.
  var producers: [String: (layer: Int, blob: Blob)] = [:]
  var totals: Totals
  /// Which layers cannot be run, or not on an input of this size, and why.
  var notSupported, notFitting: [String]
  /// Input sizes that all layers can process; empty if no other is needed or none is found.
  var fittingSizes: [String]
  var receptiveFields: [ReceptiveFieldReport]
  /// Absent without the weights, and if the engine cannot run the network.
  var memoryPlan: MemoryPlan?

  init(_ inspection: Inspection) {
    func blob(_ name: String) -> Blob { Blob(name: name, shape: inspection.shape(name)) }
    let network = inspection.network
    (model, order) = (network.source, network.executionOrder)
    inputs = network.inputs.map(blob)
    outputs = network.outputs.map(blob)
    family = inspection.family?.family
    layers = zip(network.layers, inspection.inference.multiplyAdds).map { layer, multiplyAdds in
      Layer(
        line: layer.line, kind: layer.kind, name: layer.name, inputs: layer.inputs,
        outputs: layer.outputs.map(blob),
        attributes: layer.attributes.map { "\($0.name) \($0.value)" },
        parameters: layer.parameterCount, multiplyAdds: multiplyAdds,
        weights: layer.weights.map(StoredWeights.init),
        int8: layer.quantization.map(ScaleSummary.init))
    }
    for (number, layer) in layers.enumerated() {
      for blob in layer.outputs { producers[blob.name] = (number, blob) }
    }
    totals = Totals(
      layers: layers.count, blobs: layers.reduce(0) { $0 + $1.outputs.count },
      parameters: layers.reduce(0) { $0 + $1.parameters },
      multiplyAdds: layers.reduce(0) { $0 + $1.multiplyAdds })
    notSupported = inspection.failures.map(\.description)
    notFitting = inspection.wrongDeclarations + inspection.misfits.map(\.description)
    fittingSizes = inspection.fittingSizes.map(\.description)
    receptiveFields = network.outputs.map {
      ReceptiveFieldReport(blob: $0, inspection.receptiveFields[$0])
    }
  }

  /// A table of the layers, with facts about the whole network above and below it.
  func forEachLine(_ put: (String) throws -> Void) rethrows {
    try put(
      "\(model): magic \(ParamFormat.magic), \(counted(totals.layers, "layer")), "
        + counted(totals.blobs, "blob"))
    try put("inputs \(inputs.map(\.text).joined(separator: ", "))")
    try put("outputs \(outputs.map(\.text).joined(separator: ", "))")
    try put(
      family.map { "family \($0.name): detect can use it" }
        ?? "family unknown; --recipe says what it would need to be of a known one")
    try tableLines(layerRows).forEach(put)
    try receptiveFields.lazy.map(\.text).forEach(put)
    try notSupported.lazy.map { "not supported: \($0)" }.forEach(put)
    try notFitting.lazy.map { "does not fit: \($0)" }.forEach(put)
    let weights = layers.flatMap(\.weights)
    if !weights.isEmpty { try put("weights: \(weights.text)") }
    try put(
      "total: \(totals.parameters) parameters, \(totals.multiplyAdds) multiply-adds; \(verdict)")
  }

  var json: JSONPieces {
    .object([
      "model": .text(quotedJSON(model)), "inputs": .list(inputs.lazy.map(\.json)),
      "outputs": .list(outputs.lazy.map(\.json)), "layers": .list(layers.lazy.map(\.json)),
      "family": family.map { .value($0) }, "totals": .value(totals),
      "notSupported": .list(notSupported), "notFitting": .list(notFitting),
      "fittingSize": fittingSizes.first.map { .value($0) },
      "receptiveFields": .list(receptiveFields),
      "memoryPlan": memoryPlan.map { .value($0) },
    ])
  }

  private var verdict: String {
    var parts = notFitting.isEmpty ? [] : [sizeVerdict]
    if !notSupported.isEmpty {
      parts.append("\(counted(notSupported.count, "layer")) not supported")
    }
    return parts.isEmpty ? "all layers supported" : parts.joined(separator: "; ")
  }

  private var sizeVerdict: String {
    let size = inputs.compactMap(\.shape).first { $0.count == 3 }.map { "\($0[2])x\($0[1])" }
    let start = "an input of \(size ?? "this size") does not fit"
    guard let fittingSize = fittingSizes.first else {
      return "\(start), and none was found that does"
    }
    return "\(start), one of \(fittingSizes.joined(separator: " or ")) does: --size \(fittingSize)"
  }

  private var layerRows: [[String]] {
    let hasInt8 = layers.contains { $0.int8 != nil }
    let rows = layers.map { layer in
      [
        "\(layer.line)", layer.kind, layer.name, layer.outputs.first?.shape?.text ?? "",
        layer.parameters == 0 ? "" : "\(layer.parameters)",
        layer.multiplyAdds == 0 ? "" : "\(layer.multiplyAdds)",
      ] + (hasInt8 ? layer.int8?.columns ?? ScaleSummary.titles.map { _ in "" } : [])
    }
    let titles = ["line", "kind", "name", "output", "parameters", "multiply-adds"]
    return [titles + (hasInt8 ? ScaleSummary.titles : [])] + rows
  }
}

extension InspectReport.Blob {
  var text: String { shape.map { "\(name) \($0.text)" } ?? name }

  var json: JSONPieces {
    let shape = shape.map { ",\"shape\":[\($0.map(String.init).joined(separator: ","))]" }
    return .text("{\"name\":\(quotedJSON(name))\(shape ?? "")}")
  }
}

extension InspectReport.Layer {
  fileprivate var json: JSONPieces {
    .object([
      "line": .text("\(line)"), "kind": .text(quotedJSON(kind)), "name": .text(quotedJSON(name)),
      "inputs": .list(inputs.lazy.map { .text(quotedJSON($0)) }),
      "outputs": .list(outputs.lazy.map(\.json)), "parameters": .text("\(parameters)"),
      "multiplyAdds": .text("\(multiplyAdds)"),
      "weights": weights.isEmpty ? nil : .list(weights), "int8": int8.map { .value($0) },
    ])
  }
}

extension [Int] {
  /// A shape as `3x480x640`.
  var text: String { map(String.init).joined(separator: "x") }
}

/// The part of the input that the cells of a blob see.
struct ReceptiveFieldReport: Encodable {
  /// Along one axis, in pixels of the input.
  struct Axis: Encodable {
    var size: Int
    /// From one cell to the next.
    var jump: Double
    /// The first pixel of the first cell; negative in the padding.
    var start: Int

    init(_ windows: PixelWindows) {
      (size, jump, start) = (windows.size, windows.jump, windows.start)
    }
  }

  enum Sight: String, Encodable {
    case window, wholeInput, nothing, unknown
  }

  var blob: String
  var sees: Sight
  var rows, columns: Axis?
  var reason: String?

  init(blob: String, _ field: ReceptiveField) {
    self.blob = blob
    switch field {
    case .windows(let rows, let columns, _):
      (sees, self.rows, self.columns) = (.window, Axis(rows), Axis(columns))
    case .wholeInput: sees = .wholeInput
    case .nothing: sees = .nothing
    case .unknown(let reason): (sees, self.reason) = (.unknown, reason)
    }
  }

  var text: String {
    let what =
      switch sees {
      case .window: window
      case .wholeInput: "the whole input"
      case .nothing: "no pixel"
      case .unknown: "not known: \(reason ?? "")"
      }
    return "receptive field of \(blob): \(what)"
  }

  private var window: String {
    guard let rows, let columns else { return "" }
    func text(_ jump: Double) -> String {
      Int(exactly: jump).map(String.init) ?? fixed(jump, decimals: 2)
    }
    let (across, down) = (text(columns.jump), text(rows.jump))
    return "\(columns.size) x \(rows.size) px, a cell every "
      + (columns.jump == rows.jump ? across : "\(across) x \(down)")
      + " px, the first from \(columns.start),\(rows.start)"
  }
}
