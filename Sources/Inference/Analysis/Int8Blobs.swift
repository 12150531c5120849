import NCNN

extension Network {
  /// The blobs that hold int8 numbers rather than floats: the outputs of layers with an int8 scale
  /// term above 100, and those of layers that only move elements of such blobs.
  ///
  /// - Throws: `InferenceError` where another layer reads such a blob. Upstream then reads bytes as
  ///   floats, or refuses.
  public func int8Blobs() throws(InferenceError) -> Set<String> {
    var blobs: Set<String> = []
    for index in executionOrder {
      let layer = layers[index]
      if layer.operation == .unknown { continue }
      if let blob = layer.inputs.first(where: blobs.contains), !layer.operation.computesInInt8 {
        guard layer.operation.movesInt8, blobs.isSuperset(of: layer.inputs) else {
          throw InferenceError(
            .unsupported, found: "the int8 blob \(blob)",
            expected: layer.operation.movesInt8 ? "int8 or float blobs only" : "a float blob"
          ).at(layer)
        }
        blobs.formUnion(layer.outputs)
      }
      if layer.operation.handsOnInt8 { blobs.formUnion(layer.outputs) }
    }
    return blobs
  }
}

extension Operation {
  /// Whether upstream's layer gives int8 numbers of the same scale for int8 numbers.
  fileprivate var movesInt8: Bool {
    switch self {
    case .split, .flatten, .reshape, .crop, .relu(slope: 0), .dropout(scale: 1): true
    case .concat(let axis): axis == 0 || axis == -3
    case .slice(let slice): slice.axis == 0 || slice.axis == -3
    case .padding(let padding): padding.movesInt8
    default: false
    }
  }
}

extension Padding {
  fileprivate var movesInt8: Bool {
    switch content {
    case .constant(let value): abs(value) <= 127 && value.rounded() == value
    case .replicated, .reflected: true
    case .constantPerChannel: false
    }
  }
}
