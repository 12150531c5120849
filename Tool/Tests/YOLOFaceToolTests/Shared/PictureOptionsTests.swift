// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceFiles

@testable import YOLOFaceTool

/// The limit on the size of pictures, in every command that reads them.
struct PictureOptionsTests {
  private let tool = Tool()

  private static let commands = [
    "detect a.png", "compare a.png a.png", "explain a.png -o report.html", "profile a.png",
    "track a.png", "guide --circle 9,9,9 a.png", "evaluate . --truth labels.json",
  ]

  /// A PNG that claims 65,000 × 1,000 pixels but contains none.
  private func writeClaim() throws {
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // 65,000 and 1,000, then 8-bit grey.
    let header: [UInt8] = [0, 0, 0xFD, 0xE8, 0, 0, 0x03, 0xE8, 8, 0, 0, 0, 0]
    let chunks = pngChunk("IHDR", header) + pngChunk("IDAT") + pngChunk("IEND")
    try tool.write(Data(signature + chunks), to: "a.png")
  }

  /// Expects that a file is refused.
  private func refuses(_ options: String = "", saying found: String) {
    let error = #expect(throws: (any Error).self) {
      try PictureOptions.parse(options.words).read(tool.path("a.png"))
    }
    #expect(error.map { "\($0)".contains(found) } == true, "\(options): \(error as Any)")
  }

  @Test func saysWhatStandsForAPicture() throws {
    try tool.write("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", to: "a.png")
    refuses(saying: "a.png: found a Git LFS pointer, expected the file")
    for (text, found) in [
      ("", "found an empty file"), ("<svg/>", "found XML"), ("\n[1]", "found JSON"),
      ("{}", "found JSON"),
      (
        "a.png\n",
        "found text, expected \(Picture.formats); detect --files-from \(tool.path("a.png")) reads"
      ),
    ] {
      try tool.write(text, to: "a.png")
      refuses(saying: found)
    }
    try tool.write("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", to: "a.png")
    try tool.runShell("\"$tool\" detect - < a.png").failed(
      saying: "standard input: found a Git LFS pointer, expected the file")
  }

  /// What is missing is said, with the option that reads the rest.
  @Test func damageMayBeAccepted() throws {
    let whole = try PNG.encode(.pattern(width: 64, height: 64))
    try tool.write(Data(whole.prefix(whole.count / 2)), to: "a.png")
    refuses(saying: "; --accept-damaged reads what is there")
    let options = try PictureOptions.parse(["--accept-damaged"])
    let damage = try #require(try options.readStored(tool.path("a.png")).damage)
    #expect((1..<64).contains(damage.rows) && damage.height == 64)
  }

  /// An animated WebP, whether or not this build reads WebP.
  @Test func saysWhatToDoWithAnAnimation() throws {
    let head: [UInt8] = Array("RIFF\0\0\0\0WEBPVP8X".utf8) + [10, 0, 0, 0, 2]
    try tool.write(Data(head + [UInt8](repeating: 0, count: 9)), to: "a.png")
    refuses(
      saying: "found an animated WebP, expected a single picture; give a film, a GIF or an APNG")
  }

  /// The sidecar that bears the whole name comes first; one that may be another picture's, or is no file, is not heard.
  @Test func hearsSidecars() throws {
    func write(_ orientation: Int, _ name: String) throws {
      try tool.write(
        "<r:RDF xmlns:r='r' xmlns:t='http://ns.adobe.com/tiff/1.0/'><r:D t:Orientation='\(orientation)'/></r:RDF>",
        to: name)
    }
    func orientation() throws -> Orientation {
      try PictureOptions.parse([]).readStored(tool.path("a.png")).orientation
    }
    try tool.write(Data(try PNG.encode(.pattern(width: 3, height: 2))), to: "a.png")
    try write(6, "a.xmp")
    #expect(try orientation() == .right)
    try tool.write("raw", to: "a.cr2")
    #expect(try orientation() == .up)
    try write(3, "a.png.xmp")
    #expect(try orientation() == .down)
    try FileManager.default.removeItem(atPath: tool.path("a.png.xmp"))
    try FileManager.default.createDirectory(
      atPath: tool.path("a.png.xmp"), withIntermediateDirectories: false)
    #expect(try orientation() == .up)
  }

  /// A larger limit allows the size, and the picture fails because its pixels are missing.
  @Test func theLimitCanBeRaised() throws {
    try writeClaim()
    refuses(
      saying: "a.png: the picture is 65000 × 1000, the limit is 64000000 pixels; --max-pixels sets "
        + "another limit, up to 268435456 pixels")
    refuses("--max-pixels 65000000", saying: "a.png: the picture claims 65000 × 1000")
  }

  @Test(arguments: commands)
  func everyCommandHasTheLimit(command: String) throws {
    try writeClaim()
    try tool.write(#"{"a.png": {"width": 65000, "height": 1000, "boxes": []}}"#, to: "labels.json")
    let run = try tool.run(line: command + " --max-pixels 64999999").failed(
      saying: "a.png: the picture is 65000 × 1000, the limit is 64999999 pixels; --max-pixels sets "
    )
    #expect(run.output.isEmpty || command.hasPrefix("evaluate") || command.hasPrefix("guide"))
    tool.expectUsage(
      of: command.replacing(" . ", with: " @/ "),
      table: """
        --max-pixels 1 / 268435456
        --max-pixels=0 / -1 / 268435457 | give a number from 1 to 268435456.
        """)
  }

  @Test func theLimitCanBeLowered() throws {
    try tool.expectRuns(
      """
      detect PHOTO --max-pixels 262143 | 1 the picture is 512 × 512, the limit is 262143 pixels; --max-
      detect PHOTO --max-pixels 262144
      """)
    try tool.runShell("\"$tool\" detect - --max-pixels 9 < \"$1\"", Tool.astronaut).failed(
      saying: "standard input: the picture is 512 × 512, the limit is 9 pixels")
  }

  @Test func aFilmIsNoPicture() throws {
    try tool.write("\0\0\0\u{1C}ftypisom", to: "a.mp4")
    let film = tool.path("a.mp4")
    let error = #expect(throws: Failure.self) { try PictureOptions.parse([]).read(film) }
    let found = "\(film): found a film, expected \(Picture.formats); give it alone to track or"
    #expect(error?.description.hasPrefix(found) == true)
    #expect(throws: FileError.self) { try PictureOptions.parse([]).read(tool.path("none.mp4")) }
    try tool.write("GIF89a", to: "a.png")
    refuses(saying: "a.png: found GIF, expected PNG")
  }

  /// 4 bytes a pixel, but only if the limit is above the default. The files are sparse.
  @Test func aFilesLimitRisesWithThePixels() throws {
    for (options, limit) in [
      ("", 100_000_000), ("--max-pixels 64000000", 100_000_000), ("--max-pixels 9", 100_000_000),
      ("--max-pixels 64000001", 256_000_004),
    ] {
      try tool.write("", to: "a.png")
      #expect(truncate(tool.path("a.png"), limit + 1) == 0)
      refuses(options, saying: "found \(limit + 1) bytes, expected at most \(limit)")
    }
  }
}
