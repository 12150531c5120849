// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A new folder, which is removed with this object.
package final class TemporaryFolder: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// Runs a test with a new folder, which is removed afterwards.
package func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
  let folder = try TemporaryFolder()
  try withExtendedLifetime(folder) { try body(folder.url) }
}

/// Writes a text, with the folders above it.
package func writeText(_ text: String, to file: URL) throws {
  try FileManager.default.createDirectory(
    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
  try Data(text.utf8).write(to: file)
}
