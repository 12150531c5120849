// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Testing
import YOLOFace

@testable import YOLOFaceTool

/// The options that `detect`, `track`, `guide` and `compare` share.
struct SearchOptionsTests {
  private let tool = Tool()

  @Test func saysThatPicturesAreEnlarged() throws {
    try tool.writeBlankPictures(["a.png", "b.png"])
    try tool.expectRuns(
      "detect a.png b.png --long-side 256 | 0 --long-side enlarges 2 pictures, up to 4 times")
    let usual = try tool.run(line: "anonymise a.png -o c.png --long-side 96").succeeded()
    #expect(!usual.errors.contains("enlarges"))
  }

  /// The commands share the options, so one value shows that each has them.
  @Test func refuseWrongValues() {
    for command in [
      "detect a.png", "track a.png", "guide --circle 225,117,100 a.png", "compare a.png b.png",
    ] {
      tool.expectUsage(
        of: command,
        table: """
          --long-side 64 / --score-threshold 0 / --iou-threshold 1 / --threads 256
          --long-side 0 | --long-side 0: give a
          --score-threshold=-0.1 / --iou-threshold=-0.1 | -threshold -0.1: give a number from 0 to 1.
          --threads 0 | --threads 0: give a number from 1 to 256.
          --precision int4 | The value 'int4' is invalid for '--precision
          --param x / --bin x | --param and --bin go together: give both or neither.
          """)
    }
    tool.expectUsage(
      of: "detect a.png",
      table: """
        --long-side 1024
        --long-side=-32 / 100 / 1000000 | : give a
        --score-threshold 1.1 / nan / --iou-threshold 1.1 / --iou-threshold nan | give a number from 0 to 1.
        --threads=-1 / 257 | give a number from 1 to 256.
        --isa sse | The value 'sse' is invalid for '--isa
        """)
  }

  private struct Report: Decodable, Equatable {
    struct Face: Decodable, Equatable {
      var score: Double
      var box: [String: Double]
      var landmarks: [String: [Double]]
    }
    struct View: Decodable, Equatable {
      var width, height: Int
      var coordinates: String
    }
    var faces: [Face]
    var view: View?
  }

  /// Together they show that no command leaves one out, or has another default: `makeADifference` shows what each does.
  @Test(arguments: [
    "", "--long-side 320 --threads 1 --isa baseline --precision int8",
    "--score-threshold 0.01 --iou-threshold 0.9 --select central --max-faces 5 --min-size 80",
    "--score-threshold 0.01 --region 0,0,512,120 --mirror --orientation left --coordinates normalized",
    "--view 390x844 --gravity aspect-fill --mirror --coordinates vision",
    "--view 300x400 --gravity resize --orientation right-mirrored",
  ])
  func doTheSameInEveryCommand(options: String) throws {
    let commands = ["detect --json", "track", "guide --json --circle 150,200,100"]
    let reports: [Report] = try commands.map {
      try tool.run(line: "\($0) PHOTO \(options)").succeeded().output.decoded()
    }
    #expect(reports[1] == reports[0] && reports[2] == reports[0])
  }

  /// Each of them changes the result.
  @Test func makeADifference() throws {
    func found(_ options: String) throws -> Report {
      try tool.run(line: "detect --json PHOTO \(options)").output.decoded()
    }
    let plain = try Tool.astronautJSON.get().decoded(as: Report.self)
    #expect(plain.faces.count == 1 && plain.view == nil)
    let smaller = try found("--long-side 320")
    #expect(smaller.faces.count == 1 && smaller != plain)
    #expect(try found("--score-threshold 0.99").faces.isEmpty)
    #expect(try found("--iou-threshold 0.99").faces.count > 1)
  }

  /// The names that the tools of other detectors use.
  @Test func haveAliases() throws {
    let options = try SearchOptions.parse("--conf 0.01 --iou 0.9 --imgsz 320".words)
    #expect(options.scoreThreshold == 0.01 && options.iouThreshold == 0.9)
    #expect(options.longSide == 320)
  }

  /// `GuideTests` tests `guide`.
  @Test func framesAreDrawnAsTheViewShowsThem() throws {
    try tool.run(line: "track PHOTO --view 300x480 --mirror --annotate drawn").succeeded()
    let drawn = try Picture.read(path: tool.path("drawn/000000.png"))
    #expect(drawn.width == 300 && drawn.height == 480)
  }

  @Test func longSidesAreWhatTheNetworkTakes() throws {
    let style = Letterbox.Style(fill: 0, granularity: 64)
    let error = #expect(throws: ValidationError.self) { try requireLongSide(96, by: style) }
    #expect(error?.description == "--long-side 96: give a multiple of 64 up to 16384.")
    try requireLongSide(128, by: style)
  }
}
