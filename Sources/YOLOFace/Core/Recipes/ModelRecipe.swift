// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceInference
import YOLOFaceNCNN

/// How a network is fed and read: which blob takes the picture and in which form, how the picture
/// is fitted into it, and which heads find faces in the outputs.
///
/// `matching` finds that of a known family. A network of a new one needs a `FaceHead`.
public struct ModelRecipe: Sendable {
  /// The name of the network's only input, the picture: 3 × H × W.
  public var input: String
  /// How the picture's bytes are normalised.
  public var normalization: Normalization
  /// The letterbox's padding, and the sizes that the input may have.
  public var letterbox: Letterbox.Style
  /// The heads that find faces in the network's blobs, in any order.
  public var heads: [FaceHead]
  /// What it was made from; nil for a recipe of another family.
  public internal(set) var family: FamilyRecipe?

  /// Makes a recipe from its parts.
  public init(
    input: String, normalization: Normalization, letterbox: Letterbox.Style, heads: [FaceHead]
  ) {
    (self.input, self.normalization) = (input, normalization)
    (self.letterbox, self.heads) = (letterbox, heads)
  }

  /// Whether faces have landmarks; true for a recipe of another family.
  public var findsLandmarks: Bool { family?.findsLandmarks ?? true }

  /// The recipe of this project's own models: outputs `out_8`, `out_16`, `out_32`.
  public static let yoloFace = yolo5Face(input: "data", outputs: ["out_8", "out_16", "out_32"])

  /// The recipe of a YOLO5Face model: RGB / 255, and the outputs in the order of
  /// `YOLO5FaceHead.yoloFace`.
  public static func yolo5Face(
    input: String, outputs: [String], heads: [YOLO5FaceHead] = YOLO5FaceHead.yoloFace
  ) -> ModelRecipe {
    ModelRecipe(
      input: input, normalization: Normalization(divisor: 255), letterbox: .yolov5,
      heads: zip(outputs, heads).map { $1.reading($0) })
  }

  /// The recipe of a network that finds no faces, whose layers alone are of interest: RGB / 255, of the size that the
  /// file declares or, if none, with sides that are multiples of 32.
  public static func withoutHeads(_ network: Network) -> ModelRecipe {
    let style = network.declaredSize.map { Letterbox.Style(fill: 114, size: $0) }
    return ModelRecipe(
      input: network.inputs.first ?? "", normalization: Normalization(divisor: 255),
      letterbox: style ?? .yolov5, heads: [])
  }

  /// The recipe of a network of a known family; see `FamilyRecipe.recognizing`.
  ///
  /// - Throws: `FaceDetectorError` where it is of none.
  public static func matching(_ network: Network) throws(FaceDetectorError) -> ModelRecipe {
    guard let family = FamilyRecipe.recognizing(network) else { throw .unknownFamily(network) }
    do throws(ValueError) {
      return try family.recipe()
    } catch {
      throw .recipe(model: network.source, error)
    }
  }
}
