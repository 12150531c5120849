// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster
import YOLOFaceReport

@testable import YOLOFaceTool

/// The built tool, run in a process of its own.
struct Tool {
  /// The result of a run.
  struct Run {
    var status: Int32
    var wasKilled: Bool
    var output: String
    var errors: String

    /// Expects that the run succeeded. One expectation here compiles faster than one in each test.
    @discardableResult
    func succeeded(at location: SourceLocation = #_sourceLocation) -> Run {
      #expect(status == 0, "\(errors)", sourceLocation: location)
      return self
    }

    /// Expects that the run failed, other than by wrong usage, and said so.
    @discardableResult
    func failed(saying text: String = "", at location: SourceLocation = #_sourceLocation) -> Run {
      #expect(status == 1 && !wasKilled, "\(self)", sourceLocation: location)
      #expect(text.isEmpty || errors.contains(text), "\(errors)", sourceLocation: location)
      return self
    }

    /// Expects that the usage was wrong, and that this was said.
    func failedUsage(saying text: String, at location: SourceLocation = #_sourceLocation) {
      #expect(status == 64 && errors.contains(text), "\(self)", sourceLocation: location)
    }
  }

  private let folder: TemporaryFolder

  /// Ends the tests where no folder can be made.
  init() { do { folder = try TemporaryFolder() } catch { fatalError("\(error)") } }

  /// A directory for the test's files, initially empty.
  var directory: URL { folder.url }

  func path(_ name: String) -> String { directory.appending(path: name).path }

  static let astronaut = SharedData.astronaut
  static let cat = SharedData.projectRoot.appending(path: "Examples/cat.png").path

  /// A file of the default model; `form` is "-int8" for its int8 form.
  static func model(_ suffix: String, form: String = "") -> String {
    SharedData.projectRoot.appending(path: "Models/yoloface-n-0.5\(form).\(suffix)").path
  }

  // Files of the test; what is written creates the directories above it.

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  func data(_ name: String) throws -> Data { try Data(contentsOf: directory.appending(path: name)) }

  func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  func write(_ data: Data, to name: String) throws {
    let file = directory.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }

  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  func copyPhoto(to names: String...) throws {
    for name in names { try write(Data(contentsOf: URL(filePath: Self.astronaut)), to: name) }
  }

  /// Writes black pictures.
  func writeBlankPictures(_ names: [String], side: Int = 64) throws {
    let picture = try Data(PNG.encode(RGBImage(width: side, height: side)))
    for name in names { try write(picture, to: name) }
  }

  /// What the tool says of the photo, which many tests compare with: `detect` with `--json` and without.
  static let astronautJSON = Result { try Tool().run("detect", "--json", astronaut).output }
  static let astronautText = Result { try Tool().run("detect", astronaut) }

  /// What `detect` reports of a picture, by the arguments of a line.
  func detected(_ line: String) throws -> DetectionReport {
    try runAll(["detect", "--json"] + line.words).succeeded().output.decoded()
  }

  func run(_ arguments: String...) throws -> Run { try runAll(arguments) }

  func run(line: String) throws -> Run { try runAll(line.words) }

  /// Runs the lines of a table in turn. After `|` there are the status of a line's run, which is 0 otherwise, and a
  /// part of its messages.
  func expectRuns(_ table: String, at location: SourceLocation = #_sourceLocation) throws {
    for line in table.split(separator: "\n") {
      let parts = String(line).components(separatedBy: " | ")
      let run = try runAll(parts[0].words)
      let end = parts.count == 2 ? parts[1].split(separator: " ", maxSplits: 1) : ["0"]
      let isTrue = end[0] == "\(run.status)" && !run.wasKilled
      let isSaid = end.count < 2 || run.errors.contains(end[1])
      #expect(isTrue && isSaid, "\(line): \(run)", sourceLocation: location)
    }
  }

  func runAll(_ arguments: [String], standardInput: FileHandle? = nil) throws -> Run {
    try launch(Self.executable.path, arguments, standardInput: standardInput)
  }

  private static let executable = Programs.buildDirectory.appending(path: "yoloface")

  private func launch(
    _ executable: String, _ arguments: [String], standardInput: FileHandle? = nil
  ) throws -> Run {
    TestCount.add("launches")
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

  /// What the tool would say of wrong usage, found in this process; nil if it would begin its work, or print
  /// help.
  ///
  /// At the beginning of an argument, and in what is said, `@/` is the test's directory. Another relative path
  /// that the usage depends on would be looked up in the directory of this process.
  func wrongUsage(_ arguments: [String]) -> String? {
    let folder = directory.path + "/"
    do {
      _ = try YOLOFaceCommand.parsed(
        arguments.map { $0.hasPrefix("@/") ? folder + $0.dropFirst(2) : $0 })
      return nil
    } catch {
      guard YOLOFaceCommand.exitCode(for: error) == .validationFailure else { return nil }
      return YOLOFaceCommand.fullMessage(for: error).replacing(folder, with: "@/")
    }
  }

  /// The lines of a table that are not true, with what is said of them.
  ///
  /// A line holds the arguments after those of a command, `''` being an empty one. They are right usage, or
  /// after `|` there is a part of what is said of them. After ` / ` there is another value in place of the last,
  /// or another option.
  /// A table with nothing right is not true either: it may be the command that is refused.
  func falseUsage(of command: String..., table: String) -> [String] {
    falseUsage(of: command, in: table)
  }

  /// Expects that a table of usage of a command, given in one line, is true.
  func expectUsage(
    of command: String = "", table: String, at location: SourceLocation = #_sourceLocation
  ) {
    let mistakes = falseUsage(of: command.words, in: table)
    #expect(mistakes == [], sourceLocation: location)
  }

  private func falseUsage(of command: [String], in table: String) -> [String] {
    var found: [String] = []
    var hasRight = false
    for line in table.split(separator: "\n") {
      let parts = line.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
      let part = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
      let values = String(parts[0]).components(separatedBy: " / ")
      for value in values {
        let end = value.hasPrefix("--") ? #/--[^ ]*(?: [^ ]+)?$/# : #/[^ =]+$/#
        let arguments = value == values[0] ? value : values[0].replacing(end) { _ in value }
        let said = wrongUsage(command + arguments.words)
        // What follows is the same for every mistake.
        let message = said?.components(separatedBy: "\nHelp: ")[0].components(
          separatedBy: "\nUsage: ")[0]
        let isTrue = message.map { !part.isEmpty && $0.contains(part) } ?? part.isEmpty
        hasRight = hasRight || said == nil
        if !isTrue { found.append("\(arguments)| \(part): \(said ?? "right usage")") }
      }
    }
    return hasRight ? found : found + ["nothing is right usage"]
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

extension RGBImage {
  /// The rows in 32-bit BGRA, of varied alpha, each followed by padding.
  func rawBGRA(padding: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    for row in 0..<height {
      for pixel in row * width..<(row + 1) * width {
        bytes += pixels[3 * pixel..<3 * pixel + 3].reversed() + [UInt8(pixel % 251)]
      }
      bytes += padding
    }
    return bytes
  }
}

/// The time of a frame, as commands print it.
struct FrameTime: Decodable, Equatable {
  var value, timescale: Int
}

extension String {
  /// The words of a line as arguments: PHOTO is the path of the photo, `''` an empty word.
  var words: [String] {
    split(separator: " ").map { $0 == "''" ? "" : $0 == "PHOTO" ? Tool.astronaut : String($0) }
  }

  /// The value that this JSON holds.
  func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(utf8))
  }

  /// The values of these JSON Lines.
  func decodedLines<Value: Decodable>(as type: Value.Type = Value.self) throws -> [Value] {
    try split(separator: "\n").map { try String($0).decoded() }
  }
}
