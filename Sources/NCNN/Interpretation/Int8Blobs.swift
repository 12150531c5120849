// SPDX-License-Identifier: Apache-2.0
extension Network {
  /// The blobs that hold int8 numbers rather than floats: the outputs of layers with an int8 scale
  /// term above 100, and those of layers that only move elements of such blobs.
  ///
  /// - Throws: `InferenceError` where another layer reads such a blob.
  public func int8Blobs() throws(InferenceError) -> Set<String> {
    var blobs: Set<String> = []
    for index in executionOrder {
      let layer = layers[index]
      guard layer.operation.isKnown else { continue }
      let traits = layer.operation.traits
      if let blob = layer.inputs.first(where: blobs.contains), traits.int8 == nil {
        guard traits.movesInt8, blobs.isSuperset(of: layer.inputs) else {
          throw InferenceError(
            .unsupported, found: "the int8 blob \(blob)",
            expected: traits.movesInt8 ? "int8 or float blobs only" : "a float blob"
          ).at(layer)
        }
        blobs.formUnion(layer.outputs)
      }
      if traits.int8?.handsOnInt8 == true { blobs.formUnion(layer.outputs) }
    }
    return blobs
  }
}
