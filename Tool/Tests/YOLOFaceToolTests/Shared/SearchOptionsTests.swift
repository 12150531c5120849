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
    let run = try tool.run("detect", "a.png", "b.png", "--long-side", "256").succeeded()
    #expect(run.errors.contains("--long-side enlarges 2 pictures, up to 4 times"))
    let usual = try tool.run("anonymise", "a.png", "-o", "c.png", "--long-side", "96").succeeded()
    #expect(!usual.errors.contains("enlarges"))
  }

  /// The commands share the options, so one value shows that each has them.
  @Test func refuseWrongValues() {
    let shared = """
      --long-side 64
      --long-side 0 | --long-side 0: give a
      --score-threshold 0
      --score-threshold=-0.1 | --score-threshold -0.1: give a number from 0 to 1.
      --iou-threshold 1
      --iou-threshold=-0.1 | --iou-threshold -0.1: give a number from 0 to 1.
      --threads 256
      --threads 0 | --threads 0: give a number from 1 to 256.
      --precision int4 | The value 'int4' is invalid for '--precision
      --param x | --param and --bin go together: give both or neither.
      --bin x | --param and --bin go together: give both or neither.
      """
    let mistakes =
      tool.falseUsage(of: "detect", "a.png", table: shared)
      + tool.falseUsage(of: "track", "a.png", table: shared)
      + tool.falseUsage(of: "guide", "--circle", "225,117,100", "a.png", table: shared)
      + tool.falseUsage(of: "compare", "a.png", "b.png", table: shared)
      + tool.falseUsage(
        of: "detect", "a.png",
        table: """
          --long-side 1024
          --long-side=-32 | --long-side -32: give a
          --long-side 100 | --long-side 100: give a
          --long-side 1000000 | --long-side 1000000: give a
          --score-threshold 1.1 | --score-threshold 1.1: give a number from 0 to 1.
          --score-threshold nan | --score-threshold nan: give a number from 0 to 1.
          --iou-threshold 1.1 | --iou-threshold 1.1: give a number from 0 to 1.
          --iou-threshold nan | --iou-threshold nan: give a number from 0 to 1.
          --threads=-1 | --threads -1: give a number from 1 to 256.
          --threads 257 | --threads 257: give a number from 1 to 256.
          --isa sse | The value 'sse' is invalid for '--isa
          """)
    #expect(mistakes == [])
  }

  /// Each command's help has the same lines, with the same defaults.
  @Test func haveTheSameHelp() throws {
    func lines(_ command: any ParsableCommand.Type) throws -> Substring {
      let help = YOLOFaceCommand.helpMessage(for: command, includeHidden: true)
      let start = try #require(help.range(of: "HOW FACES ARE SEARCHED FOR:")).upperBound
      return try #require(help[start...].split(separator: "\n\n").first)
    }
    let detect = try lines(Detect.self)
    for flag in ["--long-side", "--score-threshold", "--iou-threshold", "--threads"] {
      #expect(detect.contains("  \(flag)"))
    }
    for command in [Track.self, Guide.self, Compare.self] as [any ParsableCommand.Type] {
      #expect(try lines(command) == detect)
    }
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

  /// The results of `detect`, `track` and `guide` for a picture.
  private func reports(_ image: String, _ flags: [String]) throws -> [Report] {
    try [["detect", "--json"], ["track"], ["guide", "--json", "--circle", "150,200,100"]].map {
      let run = try tool.runAll($0 + [image] + flags).succeeded()
      return try run.output.decoded(as: Report.self)
    }
  }

  /// Together they show that no command leaves one out: `makeADifference` shows what each does.
  @Test(arguments: [
    "--long-side 320 --threads 1 --isa baseline --precision int8",
    "--score-threshold 0.01 --iou-threshold 0.9 --select central --max-faces 5 --min-size 80",
    "--score-threshold 0.01 --region 0,0,512,120 --mirror --orientation left --coordinates normalized",
    "--view 390x844 --gravity aspect-fill --mirror --coordinates vision",
    "--view 300x400 --gravity resize --orientation right-mirrored",
  ])
  func doTheSameInEveryCommand(flags: String) throws {
    let flags = flags.split(separator: " ").map(String.init)
    let reports = try reports(Tool.astronaut, flags)
    #expect(reports[1] == reports[0])
    #expect(reports[2] == reports[0])
  }

  /// The names that the tools of other detectors use.
  @Test func haveAliases() throws {
    let options = try SearchOptions.parse(["--conf", "0.01", "--iou", "0.9", "--imgsz", "320"])
    #expect(options.scoreThreshold == 0.01 && options.iouThreshold == 0.9)
    #expect(options.longSide == 320)
  }

  private func found(_ flags: String...) throws -> Report {
    let output = try tool.runAll(["detect", "--json", Tool.astronaut] + flags).output
    return try output.decoded(as: Report.self)
  }

  /// Each of them changes the result.
  @Test func makeADifference() throws {
    let plain = try Tool.astronautJSON.get().decoded(as: Report.self)
    #expect(plain.faces.count == 1 && plain.view == nil)
    let smaller = try found("--long-side", "320")
    #expect(smaller.faces.count == 1 && smaller != plain)
    #expect(try found("--score-threshold", "0.99").faces.isEmpty)
    #expect(try found("--iou-threshold", "0.99").faces.count > 1)
  }

  /// `GuideTests` tests `guide`.
  @Test func framesAreDrawnAsTheViewShowsThem() throws {
    try tool.run(
      "track", Tool.astronaut, "--view", "300x480", "--mirror", "--annotate", "drawn"
    ).succeeded()
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
