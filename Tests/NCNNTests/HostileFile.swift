import NCNN
import Testing

/// A file in the folder `Hostile`, named after its defect, and the error that it must cause.
///
/// A `.bin` file is read with the `.param` file of the same name, which is valid.
struct HostileFile: Sendable, CustomTestStringConvertible {
  let name: String
  let position: ModelError.Position
  let reason: ModelError.Reason
  /// Parts of what the error says was found and what was expected.
  let found: String
  let expected: String

  init(
    _ name: String, _ position: ModelError.Position, _ reason: ModelError.Reason,
    found: String, expected: String
  ) {
    self.name = name
    self.position = position
    self.reason = reason
    self.found = found
    self.expected = expected
  }

  var testDescription: String { name }

  /// The file itself, or the `.param` file that goes with a `.bin` file.
  var param: String { name.hasSuffix(".bin") ? name.dropLast(4) + ".param" : name }

  static let all = wrongForms + wrongGraphs + wrongValues + wrongLayers + wrongWeights
}
