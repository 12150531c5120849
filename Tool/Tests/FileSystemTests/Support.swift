// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceFiles

extension TemporaryFolder {
  func path(_ name: String) -> String { "\(url.path)/\(name)" }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }

  func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path(name), withDestinationPath: target)
  }
}

/// What a file's error names.
func found(_ attempt: () throws -> Void) throws -> String {
  try #require(throws: FileError.self, performing: attempt).found
}
