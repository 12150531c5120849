// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceNCNN

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
    _ name: String, _ position: ModelError.Position, _ reason: ModelError.Reason, _ found: String,
    _ expected: String
  ) {
    self.name = name
    self.position = position
    self.reason = reason
    self.found = found
    self.expected = expected
  }

  /// Parameter files that are refused in one line for one reason.
  static func files(
    _ reason: ModelError.Reason, line: Int = 4,
    _ files: (name: String, found: String, expected: String)...
  ) -> [HostileFile] {
    files.map { .init("\($0.name).param", .line(line), reason, $0.found, $0.expected) }
  }

  /// Weight files that are refused at a byte.
  static func weights(
    _ files: (name: String, byte: Int, found: String, expected: String)...
  ) -> [HostileFile] {
    files.map { .init("\($0.name).bin", .byte($0.byte), .weights, $0.found, $0.expected) }
  }

  var testDescription: String { name }

  /// The file itself, or the `.param` file that goes with a `.bin` file.
  var param: String { name.hasSuffix(".bin") ? name.dropLast(4) + ".param" : name }

  static let all = wrongForms + wrongGraphs + wrongValues + wrongLayers + wrongWeights
}
