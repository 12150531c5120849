import FaceDecoding
import Inference
import NCNN
import Raster

extension Engine {
  /// An engine that runs a network on pictures as its recipe says.
  package convenience init(
    _ network: Network, recipe: ModelRecipe, threads: Int = 1, instructionSet: String? = nil
  ) throws {
    try self.init(
      network, outputs: recipe.heads.filter { $0.gate == nil }.flatMap(\.blobs),
      gated: recipe.heads.compactMap(\.gatedOutput), normalisation: recipe.normalisation,
      threads: threads, instructionSet: instructionSet)
  }
}

extension ModelRecipe {
  /// A letterboxed picture as the network takes it, 3 × H × W.
  package func tensor(_ input: RGBImage) throws -> Tensor {
    try Tensor(picture: input.pixels, rows: input.height, columns: input.width, normalisation)
  }
}

extension FaceHead {
  /// What the engine needs to know of its gate.
  fileprivate var gatedOutput: GatedOutput? {
    gate.map {
      GatedOutput(blob: blobs[0], groups: anchors.count, width: $0.width, gate: $0.index)
    }
  }
}

extension PictureOutputs {
  /// The blobs that a head reads.
  package func blobs(
    of head: FaceHead
  ) throws(InferenceError) -> [(shape: [Int], values: [Float])] {
    var blobs: [(shape: [Int], values: [Float])] = []
    for name in head.blobs {
      let tensor = try tensor(name)
      blobs.append((tensor.shape, tensor.values))
    }
    return blobs
  }
}
