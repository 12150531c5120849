import FaceDecoding
import Inference
import NCNN

/// How a network is fed and read: which blob takes the picture and in which form, how the picture
/// is fitted into it, and which heads find faces in the outputs.
///
/// A network of a new family needs a `FaceHead` and a line among the known recipes.
public struct ModelRecipe: Sendable {
  /// The name of the network's only input, the picture: 3 × H × W.
  public var input: String
  /// How the picture's bytes are normalised.
  public var normalisation: Normalisation
  /// The letterbox's padding, and the granularity of the input's sides.
  public var letterbox: Letterbox.Style
  /// The heads that find faces in the network's blobs, in any order.
  public var heads: [FaceHead]

  /// Makes a recipe from its parts.
  public init(
    input: String, normalisation: Normalisation, letterbox: Letterbox.Style, heads: [FaceHead]
  ) {
    self.input = input
    self.normalisation = normalisation
    self.letterbox = letterbox
    self.heads = heads
  }

  /// The recipes that `matching` chooses from.
  static let known = [yoloFace, original]

  /// The recipe of this project's own models: outputs `out_8`, `out_16`, `out_32`.
  public static let yoloFace = yolo5Face(input: "data", outputs: ["out_8", "out_16", "out_32"])
  /// The recipe of the original yolov5n-0.5 in ncnn form: outputs `981`, `983`, `985`.
  public static let original = yolo5Face(input: "data", outputs: ["981", "983", "985"])

  /// The recipe of a YOLO5Face model: RGB / 255, and the outputs in the order of
  /// `YOLO5FaceHead.yoloFace`.
  public static func yolo5Face(
    input: String, outputs: [String], heads: [YOLO5FaceHead] = YOLO5FaceHead.yoloFace
  ) -> ModelRecipe {
    ModelRecipe(
      input: input, normalisation: Normalisation(divisor: 255), letterbox: .yolov5,
      heads: zip(outputs, heads).map { $1.reading($0) })
  }

  /// The known recipe whose blobs a network has.
  ///
  /// - Throws: `FaceDetectorError` where there is none.
  package static func matching(
    _ network: Network, among known: [ModelRecipe] = known
  ) throws(FaceDetectorError) -> ModelRecipe {
    let blobs = Set(network.layers.flatMap(\.outputs))
    guard let recipe = known.first(where: { blobs.isSuperset(of: $0.blobs) }) else {
      throw .unknownOutputs(
        model: network.source, found: network.outputs, expected: known.map(\.blobs))
    }
    return recipe
  }

  /// The names of all its blobs.
  var blobs: [String] { [input] + heads.flatMap(\.blobs) }
}
