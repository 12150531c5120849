import FaceDecoding
import Inference
import NCNN

/// How a network is fed and read: which blob takes the picture, which ones hold the heads' outputs
/// and how these are decoded.
public struct ModelRecipe: Sendable, Hashable {
  /// One output: a blob of anchors × (rows · columns) × 16 and how its cells are decoded.
  public struct Output: Sendable, Hashable {
    /// The blob's name.
    public var blob: String
    /// Its stride and anchors.
    public var head: DetectionHead

    /// Makes an output from its parts.
    public init(blob: String, head: DetectionHead) {
      self.blob = blob
      self.head = head
    }
  }

  /// The network's one input, which takes the picture: RGB / 255, 3 × H × W, sides multiples of the largest stride.
  public var input: String
  /// The outputs, in any order.
  public var outputs: [Output]

  /// Makes a recipe from its parts.
  public init(input: String, outputs: [Output]) {
    self.input = input
    self.outputs = outputs
  }

  /// The recipe of this project's own models: outputs `out_8`, `out_16`, `out_32`.
  public static let yoloFace = ModelRecipe(outputs: ["out_8", "out_16", "out_32"])
  /// The recipe of the original yolov5n-0.5 in ncnn form: outputs `981`, `983`, `985`.
  public static let original = ModelRecipe(outputs: ["981", "983", "985"])

  private init(outputs names: [String]) {
    self.init(
      input: "data",
      outputs: zip(names, DetectionHead.yoloFace).map { Output(blob: $0, head: $1) })
  }

  /// The known recipe whose blobs a network has.
  ///
  /// - Throws: `FaceDetectorError` where there is none.
  package static func matching(_ network: Network) throws(FaceDetectorError) -> ModelRecipe {
    let blobs = Set(network.layers.flatMap(\.outputs))
    let known = [yoloFace, original]
    guard let recipe = known.first(where: { blobs.isSuperset(of: $0.blobs) }) else {
      throw .unknownOutputs(
        model: network.source, found: network.outputs, expected: known.map(\.blobs))
    }
    return recipe
  }

  /// The outputs as the engine looks through them.
  package var gatedOutputs: [GatedOutput] {
    outputs.map {
      GatedOutput(
        blob: $0.blob, groups: $0.head.anchors.count, width: SIMD16<Float>.scalarCount,
        gate: DetectionHead.objectnessIndex)
    }
  }

  /// What the bytes of a picture become.
  package static let normalisation = Normalisation(divisor: 255)

  /// The names of all its blobs.
  var blobs: [String] { [input] + outputs.map(\.blob) }
}
