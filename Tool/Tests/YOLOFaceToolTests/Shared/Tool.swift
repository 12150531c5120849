import Foundation
import Raster
import TestSupport
import Testing

/// The built tool, run in a process of its own.
struct Tool {
  /// The result of a run.
  struct Run {
    var status: Int32
    var wasKilled: Bool
    var output: String
    var errors: String
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A directory for the test's files, initially empty.
  var directory: URL { folder.url }

  func path(_ name: String) -> String { directory.appending(path: name).path }

  static let astronaut = SharedData.astronaut

  static let drawnAstronaut =
    SharedData.projectRoot.appending(path: "Examples/astronaut.faces.png").path

  /// A file of the default model; `form` is "-int8" for its int8 form.
  static func model(_ suffix: String, form: String = "") -> String {
    SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5\(form).\(suffix)").path
  }

  /// Writes pictures of 64 × 64 black pixels, creating their directories.
  func writeBlankPictures(_ paths: [String]) throws {
    for path in paths {
      let file = directory.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try PNG.write(RGBImage(width: 64, height: 64), to: file.path)
    }
  }

  func run(_ arguments: String...) throws -> Run { try runAll(arguments) }

  func runAll(_ arguments: [String], standardInput: FileHandle? = nil) throws -> Run {
    try launch(Self.executable.path, arguments, standardInput: standardInput)
  }

  /// The tool that `YOLOFACE_TOOL` names, or else that in the directory of the test bundle.
  private static let executable =
    ProcessInfo.processInfo.environment["YOLOFACE_TOOL"].map { URL(fileURLWithPath: $0) }
    ?? Bundle.main.bundleURL.appending(path: "yoloface")

  private func launch(
    _ executable: String, _ arguments: [String], standardInput: FileHandle? = nil
  ) throws -> Run {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = directory
    // Help is wrapped at the terminal's width, and shells print numbers as the locale says.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["COLUMNS": "80", "LC_ALL": "C"]) { $1 }
    // Files, not pipes: a full pipe would block the tool.
    let output = try file("stdout")
    let errors = try file("stderr")
    if let standardInput { process.standardInput = standardInput }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      output: try String(contentsOfFile: path("stdout"), encoding: .utf8),
      errors: try String(contentsOfFile: path("stderr"), encoding: .utf8))
  }

  /// Runs a line of shell in which `$tool` is the tool.
  func runShell(_ line: String, _ arguments: String...) throws -> Run {
    try launch("/bin/sh", ["-c", "tool=$0; \(line)", Self.executable.path] + arguments)
  }

  private func file(_ name: String) throws -> FileHandle {
    try Data().write(to: directory.appending(path: name))
    return try FileHandle(forWritingTo: directory.appending(path: name))
  }
}
