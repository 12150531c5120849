// SPDX-License-Identifier: Apache-2.0

/// Runs a network layer by layer, plainly, in scalar fp32: the specification of what it computes.
///
/// The arithmetic of each kind of layer is in `Layers/`, to be read alongside ncnn's documentation of
/// operators.
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

  /// Runs the layers that the wanted blobs depend on, given a tensor for each input among them.
  ///
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
      do throws(InferenceError) {
        let kind = layer.operation.arithmetic(
          readsInt8: layer.inputs.contains(where: int8Blobs.contains))
        // An Input reads what the caller gives under the names of its outputs.
        let outputs = layer.isInput ? layer.outputs.filter { inputs[$0] != nil } : layer.outputs
        let operands =
          layer.isInput
          ? outputs.compactMap { inputs[$0] } : layer.inputs.compactMap { blobs[$0] }
        let results = try kind.apply(
          operands, weights: weights[index], shapes: outputs.map { shapes[$0] ?? [] })
        for (name, result) in zip(outputs, results) { blobs[name] = result }
      } catch {
        throw error.at(layer)
      }
      for name in schedule.lastUses[step] { blobs[name] = nil }
    }
    return blobs
  }
}
