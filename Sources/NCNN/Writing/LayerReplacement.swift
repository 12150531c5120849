// SPDX-License-Identifier: Apache-2.0
extension Network {
  /// Gives the layer at an index other parameters, and the arrays of weights that it then takes, in
  /// ncnn's order. Its kind, name and blobs stay.
  ///
  /// - Throws: `ModelError` where the kind does not allow a parameter, or where the arrays do not have
  ///   the sizes that the parameters require.
  @_spi(Tool) public mutating func replaceLayer(
    _ index: Int, parameters: Parameters, weights: [WeightArray]
  ) throws(ModelError) {
    let old = layers[index]
    var layer = Layer(
      kind: old.kind, name: old.nameInFile, inputs: old.inputs, outputs: old.outputs,
      parameters: parameters, file: source, line: old.line)
    if let refusal = layer.operation.refusal { throw refusal }
    let expected = layer.weightRequests.map { $0.count }
    guard weights.map({ $0.count }) == expected else {
      throw ModelError(
        file: source, position: .line(layer.line), reason: .weights,
        found: "arrays of \(weights.map { $0.count }) weights", expected: "\(expected)")
    }
    layer.name = old.name
    layer.weights = weights
    layers[index] = layer
  }
}
