import Foundation
import TestSupport

/// The directory into which the tests, the snippets and the modules are built.
let buildDirectory = Bundle.main.bundleURL

/// The result of running a program.
struct Run {
  var status: Int32
  /// Standard output, then standard error.
  var output: String
}

/// Runs a program in the package's root directory and waits for it to end.
func launch(_ executable: URL, _ arguments: [String]) throws -> Run {
  let process = Process()
  process.executableURL = executable
  process.arguments = arguments
  process.currentDirectoryURL = SharedData.packageRoot
  var run = Run(status: 0, output: "")
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
