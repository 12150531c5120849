// SPDX-License-Identifier: Apache-2.0

/// The shapes and the arithmetic of a network for given input shapes, found without running it.
public struct ShapeInference: Sendable {
  /// The shape of every blob, the outermost axis first.
  public private(set) var shapes: [String: [Int]] = [:]
  /// The multiply-adds of each layer's convolution or matrix product, in the order of the layers;
  /// 0 for the other kinds.
  public private(set) var multiplyAdds: [Int64]
  /// Why shapes are missing, in the order of execution: a layer that cannot work on the shapes of its
  /// inputs, or whose kind is unknown.
  public private(set) var failures: [InferenceError] = []

  /// Infers as many shapes as possible: all but those that depend on a layer that fails. Where an
  /// input's is missing, the network's own declaration applies; weights need not be loaded.
  public init(partial network: Network, inputs: [String: [Int]]) {
    self.init(network, layers: network.executionOrder, partialInputs: inputs)
  }

  /// Infers all shapes, from what `init(partial:inputs:)` takes.
  ///
  /// - Throws: `InferenceError` where a layer cannot work on the shapes of its inputs or is unknown,
  ///   or where the multiply-adds exceed 2⁵⁰.
  public init(_ network: Network, inputs: [String: [Int]]) throws(InferenceError) {
    try self.init(network, layers: network.executionOrder, inputs: inputs)
  }

  /// Infers the output shapes of some layers, each listed after those it depends on.
  package init(_ network: Network, layers: [Int], inputs: [String: [Int]]) throws(InferenceError) {
    self.init(network, layers: layers, partialInputs: inputs)
    if let failure = failures.first { throw failure }
  }

  private init(_ network: Network, layers: [Int], partialInputs inputs: [String: [Int]]) {
    multiplyAdds = Array(repeating: 0, count: network.layers.count)
    var total: Int64 = 0
    var hasMisfit = false
    for index in layers {
      let layer = network.layers[index]
      do throws(InferenceError) {
        guard let known = knownInputs(of: layer, given: inputs) else { continue }
        for (index, shape) in known.enumerated()
        where shape.count > 3 && layer.operation.traits.fourAxes?.contains(index) != true {
          throw .shape("shape \(shape)", expected: "at most three axes for \(layer.kind)")
        }
        let kind = layer.operation.arithmetic()
        let outputs = try kind.outputShapes(known, count: layer.outputs.count)
        for shape in outputs where !(layer.isInput && shape.isEmpty) {
          guard let count = elementCount(shape), count <= Int(Int32.max) else {
            throw InferenceError(
              .limit, found: "shape \(shape)",
              expected: "one to four positive sizes, below 2³¹ elements")
          }
        }
        let count = kind.cost(inputs: known, outputs: outputs).multiplyAdds
        guard total + count <= 1 << 50 else {
          throw InferenceError(
            .limit, found: "\(total + count) multiply-adds", expected: "at most 2⁵⁰")
        }
        total += count
        multiplyAdds[index] = count
        for (name, shape) in zip(layer.outputs, outputs) where !shape.isEmpty {
          shapes[name] = shape
        }
      } catch {
        let isFirstMisfit = !hasMisfit && error.reason == .shape
        hasMisfit = hasMisfit || isFirstMisfit
        let resize = isFirstMisfit ? network.idleResize(before: layer) : nil
        failures.append(error.at(layer, perhapsBecauseOf: resize))
      }
    }
  }

  /// The shapes that a layer reads, nil where they are not known; for an Input, the caller's, or empty ones.
  private func knownInputs(of layer: Layer, given: [String: [Int]]) -> [[Int]]? {
    if layer.isInput { return layer.outputs.map { given[$0] ?? [] } }
    let known = layer.inputs.compactMap { shapes[$0] }
    return known.count == layer.inputs.count || !layer.operation.isKnown ? known : nil
  }
}
