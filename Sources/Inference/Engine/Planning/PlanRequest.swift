// SPDX-License-Identifier: Apache-2.0
import YOLOFaceNCNN

/// What a plan depends on.
struct PlanRequest: Hashable {
  /// The shape of each input.
  var shapes: [String: [Int]]
  /// Blobs that are computed whole.
  var outputs: [String]
  var gated: [GatedOutput] = []
  /// What the bytes become where the one input is a picture; nil where inputs are tensors.
  var normalization: Normalization?
  /// Whether each layer is a step of its own.
  var keepsLayers = false

  /// All blobs that are computed, whole or not.
  var wanted: [String] { outputs + gated.map { $0.blob } }
}

extension Engine {
  /// What the plan for a picture of a size depends on.
  func pictureRequest(rows: Int, columns: Int) throws(InferenceError) -> PlanRequest {
    guard network.inputs.count == 1 else {
      throw InferenceError(
        .input, found: "\(network.inputs.count) inputs", expected: "one, for the picture")
    }
    return PlanRequest(
      shapes: [network.inputs[0]: [3, rows, columns]], outputs: outputs, gated: gated,
      normalization: normalization)
  }
}
