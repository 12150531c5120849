import Foundation
import Raster
import Testing

/// The options that `detect`, `track`, `guide` and `compare` share.
struct SearchOptionsTests {
  private let tool: Tool

  init() throws { tool = try Tool() }

  private static let commands = [
    ["detect"], ["track"], ["guide", "--circle", "225,117,100"], ["compare", Tool.astronaut],
  ]

  @Test(arguments: commands)
  func refusesWrongValues(command: [String]) throws {
    for (flag, values) in [
      ("--long-side", ["0", "-32", "100", "1000000", "x"]),
      ("--score-threshold", ["-0.1", "1.1", "nan", "x"]),
      ("--iou-threshold", ["-0.1", "1.1", "nan", "x"]), ("--threads", ["0", "-1", "257", "x"]),
      ("--isa", ["", "sse"]), ("--precision", ["int4", ""]), ("--param", ["x"]), ("--bin", ["x"]),
    ] {
      // The commands share the options, so one value shows that each has them.
      for value in command == ["detect"] ? values : [values[0]] {
        let run = try tool.runAll(command + ["missing.png", flag, value])
        #expect(run.status == 64, "\(flag) \(value)")
        #expect(run.output == "" && run.errors.contains(flag))
      }
    }
  }

  /// Each command's help has the same lines, with the same defaults.
  @Test func haveTheSameHelp() throws {
    func lines(_ command: String) throws -> Substring {
      let help = try tool.run(command, "--help").output
      let start = try #require(help.range(of: "HOW FACES ARE SEARCHED FOR:")).upperBound
      return try #require(help[start...].split(separator: "\n\n").first)
    }
    let detect = try lines("detect")
    for flag in ["--long-side", "--score-threshold", "--iou-threshold", "--threads"] {
      #expect(detect.contains("  \(flag)"))
    }
    for command in ["track", "guide", "compare"] { #expect(try lines(command) == detect) }
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
      let run = try tool.runAll($0 + [image] + flags)
      #expect(run.status == 0, "\(run.errors)")
      return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    }
  }

  @Test(arguments: [
    ["--long-side", "320", "--threads", "1"], ["--score-threshold", "0.99"],
    ["--score-threshold", "0.01", "--iou-threshold", "0.9"], ["--isa", "baseline"],
    ["--precision", "int8"],
    ["--region", "0,0,100,100"], ["--select", "central", "--max-faces", "1", "--min-size", "50"],
    ["--mirror"], ["--orientation", "left"], ["--coordinates", "normalized"],
    ["--view", "390x844", "--gravity", "aspect-fill", "--mirror", "--coordinates", "vision"],
    ["--view", "300x400", "--gravity", "resize", "--orientation", "right-mirrored"],
  ])
  func doTheSameInEveryCommand(flags: [String]) throws {
    let reports = try reports(Tool.astronaut, flags)
    #expect(reports[1] == reports[0])
    #expect(reports[2] == reports[0])
  }

  /// The names that the tools of other detectors use.
  @Test func haveAliases() throws {
    let usual = ["--conf", "0.01", "--iou", "0.9", "--imgsz", "320"]
    let own = ["--score-threshold", "0.01", "--iou-threshold", "0.9", "--long-side", "320"]
    #expect(try reports(Tool.astronaut, usual) == reports(Tool.astronaut, own))
    #expect(try tool.run("profile", "--imgsz", "100").errors.contains("--long-side 100: give a"))
  }

  /// Each of them changes the result.
  @Test func makeADifference() throws {
    let plain = try reports(Tool.astronaut, [])[0]
    #expect(plain.faces.count == 1 && plain.view == nil)
    let smaller = try reports(Tool.astronaut, ["--long-side", "320"])[0]
    #expect(smaller.faces.count == 1 && smaller != plain)
    #expect(try reports(Tool.astronaut, ["--score-threshold", "0.99"])[0].faces.isEmpty)
    #expect(try reports(Tool.astronaut, ["--iou-threshold", "0.99"])[0].faces.count > 1)
    #expect(try reports(Tool.astronaut, ["--min-size", "101"])[0].faces.isEmpty)
  }

  @Test(arguments: ["track", "guide"])
  func framesAreDrawnAsTheViewShowsThem(command: String) throws {
    let run = try tool.runAll(
      [command, Tool.astronaut, "--view", "300x480", "--mirror", "--annotate", "drawn"]
        + (command == "guide" ? ["--circle", "150,200,100"] : []))
    #expect(run.status == 0, "\(run.errors)")
    let drawn = try PNG.read(path: tool.path("drawn/000000.png"))
    #expect(drawn.width == 300 && drawn.height == 480)
  }

  /// `TrackTests` tests raw frames for `track`; `guide` also needs a circle.
  @Test func rawFramesGiveTheSameFacesInGuide() throws {
    let image = try PNG.read(path: Tool.astronaut)
    try Data(image.pixels + image.pixels).write(to: tool.directory.appending(path: "film.rgb"))
    let raw = try tool.runShell(
      "\"$tool\" guide --circle 225,117,80 --raw 512x512 --pixel-format rgb24 < film.rgb")
    #expect(raw.status == 0, "\(raw.errors)")
    let files = try tool.run("guide", "--circle", "225,117,80", Tool.astronaut, Tool.astronaut)
    #expect(
      raw.output.replacing("frame 0:", with: "").replacing("frame 1:", with: "")
        == files.output.replacing("\(Tool.astronaut):", with: ""))
    #expect(raw.output.split(separator: "\n").count == 2)
    #expect(try tool.run("guide", "--circle", "1,1,1").status == 64)
    #expect(try tool.run("guide", "--circle", "1,1,1", "--raw", "9x9", "a.png").status == 64)
  }
}
