/// Why a network cannot serve as a detector.
public enum FaceDetectorError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The network lacks the blobs of every known recipe.
  case unknownOutputs(model: String, found: [String], expected: [[String]])
  /// The network lacks a blob that the recipe names.
  case missingBlob(model: String, blob: String)
  /// The network's inputs are not the one that the recipe names.
  case otherInputs(model: String, found: [String], expected: String)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .unknownOutputs(let model, let found, let expected):
      "\(model): found outputs \(found.joined(separator: ", ")), expected the blobs of a YOLOFace "
        + "model: " + expected.map { $0.joined(separator: ", ") }.joined(separator: "; or ")
    case .missingBlob(let model, let blob):
      "\(model): found no blob \(blob), expected the blob that the recipe names"
    case .otherInputs(let model, let found, let expected):
      "\(model): found inputs \(found.joined(separator: ", ")), expected \(expected) alone, as the "
        + "recipe names it"
    }
  }
}
