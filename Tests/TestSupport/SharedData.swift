// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Test data beside the checkout, in `../shared`, that is not part of the project.
///
/// Tests that need it carry the trait `.enabled(if: SharedData.exists, SharedData.explanation)`, so
/// that a clone without it shows them as skipped.
package enum SharedData {
  /// The project's root directory. The packages beside the engine compile this file too, through a link.
  package static let projectRoot = {
    var directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while directory.path != "/",
      !FileManager.default.fileExists(atPath: directory.appending(path: "Models").path)
    {
      directory.deleteLastPathComponent()
    }
    return directory
  }()

  /// The path of the project's example photo, of one face.
  package static let astronaut = projectRoot.appending(path: "Examples/astronaut.png").path

  /// The directory with the data, which need not exist.
  package static let directory = projectRoot.deletingLastPathComponent().appending(path: "shared")

  /// Whether the data is there: a directory of that name may be something else.
  package static let exists = FileManager.default.fileExists(atPath: path("golden/yolov5n-0.5"))

  /// Why a test was skipped.
  package static let explanation: Comment = "needs the test data in ../shared"

  /// The path of a file below the directory.
  package static func path(_ name: String) -> String { directory.appending(path: name).path }

  /// The bytes of a file below the directory.
  package static func bytes(_ name: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: directory.appending(path: name)))
  }

  /// The names of the files in a directory below, sorted; empty where it does not exist.
  package static func names(in subdirectory: String) -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: path(subdirectory))
    return (names ?? []).sorted()
  }
}
