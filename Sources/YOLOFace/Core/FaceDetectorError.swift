// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceNCNN

/// Why a network cannot serve as a detector.
public enum FaceDetectorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The maps that the network's outputs come from are not those of a known family.
  case unknownFamily(model: String, found: [String], nearest: String?)
  /// The network is of no known family, and has layers of unknown kinds.
  case unknownKinds(ModelError)
  /// The network lacks a blob that the recipe names.
  case missingBlob(model: String, blob: String)
  /// The network cannot work on the recipe's sizes, or gives other blobs than the recipe says.
  case misfit(model: String, width: Int, height: Int, reason: String)
  /// The network's inputs are not the one that the recipe names.
  case otherInputs(model: String, found: [String], expected: String)
  /// The network's last layer reads a blob by the equations of another family than the recipe's.
  case otherFamily(model: String, blob: String, found: FaceFamily, expected: FaceFamily)
  /// The recipe that follows from the network's own numbers is out of bounds.
  case recipe(model: String, ValueError)

  /// What a network lacks to be of a known family.
  @_spi(Tool) public static func unknownFamily(_ network: Network) -> FaceDetectorError {
    do throws(ModelError) {
      try network.requireKnownLayers()
    } catch {
      return .unknownKinds(error)
    }
    let maps = OutputMaps(of: network).maps
    return .unknownFamily(
      model: network.source, found: maps.map { $0.description },
      nearest: FaceFamily.nearest(to: maps))
  }

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .unknownFamily(let model, let found, let nearest):
      "\(model): found outputs that come from "
        + (found.isEmpty
          ? "no blobs with a row and a column for each cell" : found.listForMessage)
        + "; expected a recipe, or those of a known family, "
        + (nearest.map { "of which the nearest is \($0)" }
          ?? "which are \(FaceFamily.allCases.map { $0.name }.joined(separator: ", "))")
    case .unknownKinds(let error): error.description
    case .otherFamily(let model, let blob, let found, let expected):
      "\(model): found a recipe of \(found.rawValue) for \(blob.cutForMessage), which the network's last layer reads as "
        + "\(expected.name): expected \(expected.rawValue)"
    case .recipe(let model, let error): "\(model): \(error)"
    case .missingBlob(let model, let blob):
      "\(model): found no blob \(blob.cutForMessage), expected the blob that the recipe names"
    case .misfit(let model, let width, let height, let reason):
      "\(model): with an input of \(width) × \(height), as the recipe's size allows, \(reason); it is "
        + "another network's recipe, or its size or blobs are wrong"
    case .otherInputs(let model, let found, let expected):
      "\(model): found inputs \(found.listForMessage), expected \(expected.cutForMessage) alone, as "
        + "the recipe names it"
    }
  }
}
