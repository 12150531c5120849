import Foundation
import Testing

struct ConsoleTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  #if os(Linux)
    private static let outputs = ["> /dev/full", ">&-"]
  #else
    private static let outputs = [">&-"]
  #endif

  @Test(arguments: outputs)
  func anUnwritableOutputIsAnError(output: String) throws {
    for line in ["detect \"$1\"", "detect --json \"$1\" \"$1\"", "inspect \"$2\""] {
      let run = try tool.runShell(
        "\"$tool\" \(line) \(output)", Tool.astronaut, Tool.model("param"))
      #expect(run.status == 1, "\(line)")
      #expect(!run.wasKilled, "\(line)")
      #expect(run.errors.hasPrefix("yoloface: standard output: found "), "\(line)")
      #expect(run.errors.split(separator: "\n").count == 1, "\(line)")
    }
  }

  @Test func theEnvironmentSelectsAnInstructionSet() throws {
    let empty = try tool.runShell("YOLOFACE_ISA= \"$tool\" detect \"$1\"", Tool.astronaut)
    #expect(empty.status == 0, "\(empty.errors)")
    let unknown = try tool.runShell("YOLOFACE_ISA=mmx \"$tool\" detect \"$1\"", Tool.astronaut)
    #expect(unknown.status == 1)
    #expect(unknown.errors.contains("found the instruction set mmx of YOLOFACE_ISA, expected "))
    let known = try tool.runShell(
      "YOLOFACE_ISA=baseline \"$tool\" profile --json --repetitions 1 --long-side 64")
    #expect(known.output.contains("\"instructionSet\":\"baseline\""), "\(known.errors)")
  }

  #if os(Linux)
    /// In the root directory, `dev/stdout` is `/dev/stdout`.
    @Test func refusesToWriteAPictureToStandardOutput() throws {
      let run = try tool.runShell(
        "there=$PWD; cd /; \"$tool\" detect \"$1\" --annotate dev/stdout > \"$there/out\"",
        Tool.astronaut)
      #expect(run.status == 1)
      #expect(run.errors.contains("dev/stdout: found a path of the system"))
    }
  #endif

  /// If standard output is closed, the next file opened, such as the picture, would take its place.
  @Test func aClosedOutputIsAnError() throws {
    let run = try tool.runShell("\"$tool\" detect \"$1\" --annotate a.png >&-", Tool.astronaut)
    #expect(run.status == 1)
    #expect(!FileManager.default.fileExists(atPath: tool.path("a.png")))
  }
}
