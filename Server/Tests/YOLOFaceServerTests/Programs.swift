// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Other programs, where they are installed.
enum Programs {
  /// The first of these names that is on the path.
  static func path(of names: String...) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func hasModule(_ name: String) -> Bool {
    (try? output("python3", ["-c", "import \(name)"])) != nil
  }

  /// What a program prints; the test fails if the program does.
  static func output(_ name: String, _ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path(of: name)))
    process.arguments = arguments
    // Some leave files where they run.
    process.currentDirectoryURL = FileManager.default.temporaryDirectory
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(String(decoding: printed, as: UTF8.self))")
    return String(decoding: printed, as: UTF8.self)
  }
}
