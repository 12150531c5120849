// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import YOLOFaceTool

struct ConsoleTests {
  private let tool = Tool()

  #if os(Linux)
    private static let outputs = ["> /dev/full", ">&-"]
  #else
    private static let outputs = [">&-"]
  #endif

  /// A script that is cut off must not pass for a whole one.
  @Test(arguments: outputs)
  func anUnwritableOutputIsAnError(output: String) throws {
    for line in [
      "detect \"$1\"", "detect --json \"$1\" \"$1\"", "inspect \"$2\"", "--help", "--version",
      "--generate-completion-script bash", "help detect",
    ] {
      let run = try tool.runShell(
        "\"$tool\" \(line) \(output)", Tool.astronaut, Tool.model("param")
      ).failed()
      #expect(run.errors.hasPrefix("yoloface: standard output: found "), "\(line)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(line)")
    }
    let script = try tool.run(line: "--generate-completion-script bash").succeeded().output
    #expect(script.count > 100)
  }

  /// Neither the end of a reader nor the limit of a file's size ends the process, which would leave an
  /// unfinished file behind.
  @Test func signalsOfOutputsAreErrors() throws {
    let pipe = try tool.runShell(
      "(\"$tool\" detect \"$1\" \"$1\" --json; echo $? > status) | :", Tool.astronaut)
    #expect(!pipe.wasKilled && pipe.errors == "")
    #expect(try tool.text("status") == "141\n")
    try tool.runShell(
      "ulimit -f 8; \"$tool\" anonymise \"$1\" -o hidden.png", Tool.astronaut
    ).failed(saying: "hidden.png: found file too large")
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.directory.path)
    #expect(!names.contains { $0.contains("hidden") })
  }

  @Test func theEnvironmentSelectsAnInstructionSet() throws {
    try tool.runShell("YOLOFACE_ISA= \"$tool\" detect \"$1\"", Tool.astronaut).succeeded()
    try tool.runShell("YOLOFACE_ISA=mmx \"$tool\" detect \"$1\"", Tool.astronaut).failed(
      saying: "found the instruction set mmx of YOLOFACE_ISA, expected ")
    let known = try tool.runShell(
      "YOLOFACE_ISA=baseline \"$tool\" profile --json --repetitions 1 --long-side 64")
    #expect(known.output.contains("\"instructionSet\":\"baseline\""), "\(known.errors)")
  }

  #if os(Linux)
    /// In the root directory, `dev/stdout` is `/dev/stdout`.
    @Test func refusesToWriteAPictureToStandardOutput() throws {
      try tool.runShell(
        "there=$PWD; cd /; \"$tool\" detect \"$1\" --annotate dev/stdout > \"$there/out\"",
        Tool.astronaut
      ).failed(saying: "dev/stdout: found a path of the system")
    }
  #endif

  /// If standard output is closed, the next file opened, such as the picture, would take its place.
  @Test func aClosedOutputIsAnError() throws {
    try tool.runShell("\"$tool\" detect \"$1\" --annotate a.png >&-", Tool.astronaut).failed()
    #expect(!tool.exists("a.png"))
  }

  /// A path of 40,000 bytes does not fill the terminal, and the remedy at the end stays.
  @Test func longMessagesLackTheirMiddle() {
    let line = messageLine("\(String(repeating: "x\u{1B}", count: 20_000)): give a file.")
    #expect(line.utf8.count < 10_000 && line.hasSuffix(": give a file."))
  }
}
