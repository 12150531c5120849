import ArgumentParser
import Files
import Foundation
import TestSupport
import Testing
import YOLOFace

@testable import YOLOFaceTool

/// The limit on the size of pictures, in every command that reads them.
struct PictureOptionsTests {
  private let tool: Tool

  init() throws {
    tool = Tool()
    try tool.write(#"{"a.png": {"width": 65000, "height": 1000, "boxes": []}}"#, to: "labels.json")
  }

  private static let commands = [
    ["detect", "a.png"], ["compare", "a.png", "a.png"], ["explain", "a.png", "-o", "report.html"],
    ["profile", "a.png"], ["track", "a.png"], ["guide", "--circle", "9,9,9", "a.png"],
    ["evaluate", ".", "--truth", "labels.json"],
  ]

  /// A PNG that claims 65,000 × 1,000 pixels but contains none.
  private func writeClaim() throws {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // 65,000 and 1,000, then 8-bit grey.
    let header: [UInt8] = [0, 0, 0xFD, 0xE8, 0, 0, 0x03, 0xE8, 8, 0, 0, 0, 0]
    let chunks = pngChunk("IHDR", header) + pngChunk("IDAT") + pngChunk("IEND")
    try tool.write(Data(signature + chunks), to: "a.png")
  }

  private func message(_ arguments: [String]) -> String {
    let error = #expect(throws: (any Error).self) {
      try PictureOptions.parse(arguments).read(tool.path("a.png"))
    }
    return error.map { "\($0)" } ?? ""
  }

  /// A larger limit allows the size, and the picture fails because its pixels are missing.
  @Test func theLimitCanBeRaised() throws {
    try writeClaim()
    #expect(
      message([]).contains(
        "a.png: the picture is 65000 × 1000, the limit is 64000000 pixels; --max-pixels sets "
          + "another limit, up to 268435456 pixels"))
    #expect(
      message(["--max-pixels", "65000000"]).contains("a.png: the picture claims 65000 × 1000"))
  }

  @Test(arguments: commands)
  func everyCommandHasTheLimit(command: [String]) throws {
    try writeClaim()
    let run = try tool.runAll(command + ["--max-pixels", "64999999"]).failed(
      saying: "a.png: the picture is 65000 × 1000, the limit is 64999999 pixels; --max-pixels sets "
    )
    #expect(run.output.isEmpty || ["evaluate", "guide"].contains(command[0]))
  }

  @Test func theLimitCanBeLowered() throws {
    try tool.run("detect", Tool.astronaut, "--max-pixels", "262143").failed(
      saying: "the picture is 512 × 512, the limit is 262143 pixels; --max-")
    try tool.run("detect", Tool.astronaut, "--max-pixels", "262144").succeeded()
    let piped = try tool.runShell("\"$tool\" detect - --max-pixels 9 < \"$1\"", Tool.astronaut)
    #expect(
      piped.errors.contains("standard input: the picture is 512 × 512, the limit is 9 pixels"))
  }

  @Test func aFilmIsNoPicture() throws {
    try tool.write("\0\0\0\u{1C}ftypisom", to: "a.mp4")
    let film = tool.path("a.mp4")
    let error = #expect(throws: Failure.self) { try PictureOptions.parse([]).read(film) }
    #expect(
      error?.description.hasPrefix(
        "\(film): found a film, expected \(Picture.formats); give it alone to track or")
        == true)
    #expect(throws: FileError.self) { try PictureOptions.parse([]).read(tool.path("none.mp4")) }
    try tool.write("GIF89a", to: "a.png")
    #expect(message([]).contains("a.png: found GIF, expected PNG"))
  }

  /// 4 bytes a pixel, but only if the limit is above the default. The files are sparse.
  @Test func aFilesLimitRisesWithThePixels() throws {
    func errors(bytes: UInt64, _ arguments: [String]) throws -> String {
      let path = tool.path("a.png")
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
      try file.truncate(atOffset: bytes)
      try file.close()
      return message(arguments)
    }
    for arguments in [[], ["--max-pixels", "64000000"], ["--max-pixels", "9"]] {
      let errors = try errors(bytes: 100_000_001, arguments)
      #expect(errors.contains("found 100000001 bytes, expected at most 100000000"), "\(errors)")
    }
    #expect(
      try errors(bytes: 256_000_005, ["--max-pixels", "64000001"])
        .contains("found 256000005 bytes, expected at most 256000004"))
  }

  @Test func refusesWrongUsage() {
    var mistakes: [String] = []
    for command in Self.commands {
      let whole = command.map { $0 == "." ? "@/" : $0 }.joined(separator: " ")
      mistakes += tool.falseUsage(
        table: """
          \(whole) --max-pixels 1
          \(whole) --max-pixels 268435456
          \(whole) --max-pixels 0 | --max-pixels 0: give a number from 1 to 268435456.
          \(whole) --max-pixels=-1 | --max-pixels -1: give a number from 1 to 268435456.
          \(whole) --max-pixels 268435457 | --max-pixels 268435457: give a number from 1 to 268435456.
          """)
    }
    #expect(mistakes == [])
  }
}
