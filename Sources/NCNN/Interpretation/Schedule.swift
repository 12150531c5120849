// SPDX-License-Identifier: Apache-2.0

/// The layers that a run needs, in order, and the blobs that each is the last to use.
package struct Schedule {
  package var layers: [Int]
  package var lastUses: [[String]]

  package init(_ network: Network, extracting wanted: [String]) throws(InferenceError) {
    let blobs = network.layers.flatMap { $0.outputs }
    let produced = Set(blobs)
    for name in wanted where !produced.contains(name) {
      throw InferenceError(
        .blob, found: "the blob name \(name)",
        expected: "one that a layer produces: \(nearest(to: name, among: blobs).listForMessage)")
    }
    layers = network.layers(leadingTo: wanted)
    lastUses = Array(repeating: [], count: layers.count)
    var seen = Set(wanted)
    for (step, index) in layers.enumerated().reversed() {
      let layer = network.layers[index]
      for name in layer.inputs + layer.outputs where seen.insert(name).inserted {
        lastUses[step].append(name)
      }
    }
  }

  /// Refuses layers that are not known, and layers without their weights.
  package func requireRunnableLayers(of network: Network) throws(InferenceError) {
    for layer in layers.map({ network.layers[$0] }) {
      if let error = layer.operation.unknownKind { throw error.at(layer) }
      guard layer.weights.reduce(0, { $0 + $1.count }) == layer.parameterCount else {
        throw InferenceError(
          .input, found: "no weights", expected: "\(layer.parameterCount), loaded from a .bin file"
        ).at(layer)
      }
      try requireScales(layer)
    }
  }

  /// Refuses inputs that the network does not have, and missing ones that a layer needs.
  package func require(inputs names: Set<String>, of network: Network) throws(InferenceError) {
    let inputs = network.inputs
    if let name = names.subtracting(inputs).min() {
      throw InferenceError(
        .input, found: "a tensor for \(name)", expected: "inputs named \(inputs.listForMessage)")
    }
    for (step, index) in layers.enumerated() where network.layers[index].isInput {
      // Of several blobs of an Input, some may not be read.
      let idle = Set(lastUses[step])
      let layer = network.layers[index]
      for name in layer.outputs where !names.contains(name) && !idle.contains(name) {
        throw InferenceError(
          .input, found: "no tensor for the input \(name)", expected: "a tensor for each input"
        ).at(layer)
      }
    }
  }
}

/// Refuses a layer that has int8 weights without their scales.
@_spi(Tool) public func requireScales(_ layer: Layer) throws(InferenceError) {
  let hasBytes = layer.weights.contains { if case .int8 = $0.storage { true } else { false } }
  guard !hasBytes || layer.weightRequests.contains(where: { $0.areScales }) else {
    throw InferenceError(
      .unsupported, found: "int8 weights without int8_scale_term",
      expected: "floating-point weights, or scales"
    ).at(layer)
  }
}
