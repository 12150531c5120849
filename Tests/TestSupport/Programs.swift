// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Programs that some tests run.
package enum Programs {
  /// The result of a run.
  package struct Run {
    package var status: Int32
    /// Standard output, then standard error.
    package var output: String

    package init(status: Int32 = 0, output: String = "") {
      self.status = status
      self.output = output
    }
  }

  /// The directory into which the tests, the snippets and the modules are built.
  package static let buildDirectory = Bundle.main.bundleURL

  /// The path of the first of these programs that is on `PATH`; nil if none is.
  package static func path(ofAny names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program in the project's root directory and waits for it to end.
  package static func run(_ executable: URL, _ arguments: [String]) throws -> Run {
    TestCount.add("launches")
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = SharedData.projectRoot
    var run = Run()
    try withTemporaryFolder { folder in
      // A file, not a pipe: a full pipe would block the program.
      let file = folder.appending(path: "output")
      try Data().write(to: file)
      let output = try FileHandle(forWritingTo: file)
      process.standardOutput = output
      process.standardError = output
      try process.run()
      process.waitUntilExit()
      run.status = process.terminationStatus
      run.output = try String(contentsOf: file, encoding: .utf8)
    }
    return run
  }
}
