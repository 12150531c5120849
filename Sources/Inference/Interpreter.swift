import NCNN

/// Runs a network layer by layer, plainly: the specification of what a network computes.
///
/// Every blob of the `.param` file exists as a `Tensor` while it is needed, and any of them can be
/// extracted. The arithmetic is scalar fp32 in a fixed order; that of each kind of layer is in
/// `Layers/`, to be read alongside ncnn's documentation of operators.
public struct Interpreter: Sendable {
  /// The network that is run.
  public let network: Network
  /// The most elements that all blobs may have at one time, including the inputs and the bordered
  /// copy of a convolution's input; the default is 2²⁸, 1 GiB.
  public var maximumElements = RunLimit.defaultElements
  /// The most steps that one run may take: multiply-adds, elements of pooling windows, elements
  /// copied; an exponential counts as 16. The default is a sixteenth of an engine's.
  public var maximumWork = RunLimit.defaultWork / RunLimit.plainPart
  private let weights: [[[Float]]]
  private let int8Blobs: Set<String>

  /// Prepares a network whose weights are loaded.
  ///
  /// - Throws: `InferenceError` where a layer reads an int8 blob and its kind cannot.
  public init(_ network: Network) throws(InferenceError) {
    self.network = network
    int8Blobs = try network.int8Blobs()
    weights = network.layers.map { $0.numbers }
  }

  /// Runs the layers that the wanted blobs depend on.
  ///
  /// - Parameters:
  ///   - inputs: a tensor for each input blob that the wanted blobs depend on.
  ///   - wanted: names of blobs.
  /// - Returns: the wanted blobs by name. Int8 blobs come as their integers, not divided by a scale.
  /// - Throws: `InferenceError` where an input is missing, a blob or a layer's kind unknown, a layer's
  ///   weights are not loaded, it cannot work on the shapes of its inputs, or a limit would be exceeded;
  ///   all before anything is computed.
  public func run(
    _ inputs: [String: Tensor], extracting wanted: [String]
  ) throws(InferenceError) -> [String: Tensor] {
    let schedule = try Schedule(network, extracting: wanted)
    try schedule.requireRunnableLayers(of: network)
    try schedule.require(inputs: Set(inputs.keys), of: network)
    let shapes = try ShapeInference(
      network, layers: schedule.layers, inputs: inputs.mapValues { $0.shape }
    ).shapes
    var budget = Budget(maximumElements: maximumElements, maximumWork: maximumWork)
    try budget.check(schedule, of: network, shapes: shapes)

    var blobs: [String: Tensor] = [:]
    for (step, index) in schedule.layers.enumerated() {
      let layer = network.layers[index]
      // An Input reads what the caller gives under the name of its output.
      let operands =
        layer.isInput
        ? layer.outputs.compactMap { inputs[$0] } : layer.inputs.compactMap { blobs[$0] }
      do throws(InferenceError) {
        let kind = layer.operation.kind(readsInt8: layer.inputs.contains(where: int8Blobs.contains))
        let results = try kind.apply(
          operands, weights[index], layer.outputs.map { shapes[$0] ?? [] })
        for (name, result) in zip(layer.outputs, results) { blobs[name] = result }
      } catch {
        throw error.at(layer)
      }
      for name in schedule.lastUses[step] { blobs[name] = nil }
    }
    return blobs
  }
}

/// The layers that a run needs, in order, and the blobs that each is the last to use.
struct Schedule {
  var layers: [Int]
  var lastUses: [[String]]

  /// - Throws: `InferenceError` where a blob is unknown.
  init(_ network: Network, extracting wanted: [String]) throws(InferenceError) {
    let produced = Set(network.layers.flatMap { $0.outputs })
    for name in wanted where !produced.contains(name) {
      throw InferenceError(
        .blob, found: "the blob name \(name)", expected: "a blob that a layer produces")
    }
    layers = network.layers(leadingTo: wanted)
    lastUses = Array(repeating: [], count: layers.count)
    let kept = Set(wanted)
    var seen: Set<String> = []
    for (step, index) in layers.enumerated().reversed() {
      let layer = network.layers[index]
      for name in layer.inputs + layer.outputs where !kept.contains(name) {
        if seen.insert(name).inserted { lastUses[step].append(name) }
      }
    }
  }

  /// Refuses layers of unknown kinds, and layers without their weights.
  func requireRunnableLayers(of network: Network) throws(InferenceError) {
    for index in layers { try requireRunnable(network.layers[index]) }
  }

  /// Refuses inputs that the network does not have, and missing ones that a layer needs.
  func require(inputs names: Set<String>, of network: Network) throws(InferenceError) {
    let inputs = network.inputs
    if let name = names.subtracting(inputs).min() {
      throw InferenceError(
        .input, found: "a tensor for \(name)",
        expected: "inputs named \(inputs.listForMessage)")
    }
    for layer in layers.map({ network.layers[$0] }) where layer.isInput {
      guard names.isSuperset(of: layer.outputs) else {
        throw InferenceError(
          .input, found: "no tensor for the input \(layer.outputs[0])",
          expected: "a tensor for each input"
        ).at(layer)
      }
    }
  }
}

private func requireRunnable(_ layer: Layer) throws(InferenceError) {
  guard layer.operation != .unknown else {
    throw InferenceError.unknownKind.at(layer)
  }
  guard layer.weights.reduce(0, { $0 + $1.count }) == layer.parameterCount else {
    throw InferenceError(
      .input, found: "no weights", expected: "\(layer.parameterCount), loaded from a .bin file"
    ).at(layer)
  }
  try requireScales(layer)
}

/// Refuses a layer that has int8 weights without their scales.
public func requireScales(_ layer: Layer) throws(InferenceError) {
  let hasBytes = layer.weights.contains { if case .int8 = $0.storage { true } else { false } }
  guard !hasBytes || layer.operation.computesInInt8 else {
    throw InferenceError(
      .unsupported, found: "int8 weights without int8_scale_term",
      expected: "floating-point weights, or scales"
    ).at(layer)
  }
}
