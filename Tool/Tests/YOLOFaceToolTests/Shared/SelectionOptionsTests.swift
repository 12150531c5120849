import FaceReport
import Foundation
import Raster
import Testing
import YOLOFace

@testable import YOLOFaceTool

struct SelectionOptionsTests {
  private let tool: Tool

  init() throws {
    tool = Tool()
    try PNG.write(try Crowd.picture(), to: tool.path("crowd.png"))
  }

  /// The faces of the crowd that are found, in order: 0 is the largest, 2 the smallest.
  private func faces(_ arguments: [String]) throws -> [Int] {
    let run = try tool.runAll(["detect", "crowd.png", "--json"] + arguments).succeeded()
    let report = try run.output.decoded(as: DetectionReport.self)
    return report.faces.map { place(of: $0.box.center.x, $0.box.center.y) }
  }

  /// Which face of the crowd is at a point; -1 for none.
  private func place(of x: Double, _ y: Double) -> Int {
    Crowd.middles.firstIndex { abs($0.0 - x) < 15 && abs($0.1 - y) < 15 } ?? -1
  }

  /// The picture, and what is found in it.
  private static let crowd = Result {
    let picture = try Crowd.picture()
    return (picture: picture, faces: try FaceDetector().detect(in: picture))
  }

  // The largest face's box is about 100 × 126, the smallest's half of it.
  private static let selections: [(options: String, expected: [Int])] = [
    ("--select biggest", [0, 1, 2]), ("--select biggest --max-faces 2", [0, 1]),
    ("--select central", [2, 0, 1]), ("--select central --max-faces 1", [2]),
    ("--select biggest --min-size 65", [0, 1]), ("--min-size 90", [0]), ("--min-size 500", []),
    ("--region 300,0,420,400 --select biggest", [1, 2]),
    ("--region 500,50,200,100 --select central", [1]),
    ("--region 0,0,720,400 --select biggest --max-faces 9", [0, 1, 2]),
  ]

  @Test func selects() throws {
    let (picture, found) = try Self.crowd.get()
    for (line, expected) in Self.selections {
      let options = try SelectionOptions.parse(line.split(separator: " ").map(String.init))
      let chosen = options.select(from: found, of: picture, in: nil)
      let places = chosen.map { place(of: $0.box.center.x, $0.box.center.y) }
      #expect(places == expected, "\(line)")
    }
    for line in [[], ["--select", "best"]] {
      let best = try SelectionOptions.parse(line).select(from: found, of: picture, in: nil)
      #expect(best.map(\.score) == found.map(\.score).sorted(by: >), "\(line)")
    }
    // As the command does.
    #expect(try faces(["--region", "300,0,420,400", "--select", "biggest"]) == [1, 2])
  }

  /// What the second look finds upside down has no sharpness, and comes last.
  @Test func theSharpestIsNotUpsideDown() throws {
    let options = try SelectionOptions.parse(["--select", "sharpest", "--max-faces", "1"])
    let image = try Picture.read(path: Tool.astronaut)
    let face = try #require(FaceDetector().detect(in: image).first)
    var other = face
    other.score -= 0.1
    #expect(options.select(from: [face, other], of: image, in: nil) == [face])
    var turned = face
    turned.isMarkedUpsideDown = true
    #expect(options.select(from: [turned, other], of: image, in: nil) == [other])
  }

  @Test func drawsOnlySelectedFaces() throws {
    let run = try tool.run(
      "detect", "crowd.png", "--select", "central", "--max-faces", "1", "--annotate", "out.png")
    #expect(run.output.contains(", 1 face\n"))
    let (crowd, drawn) = (try Crowd.picture(), try Picture.read(path: tool.path("out.png")))
    let changed = (0..<400).flatMap { y in
      (0..<720).filter { drawn[$0, y] != crowd[$0, y] }.map { (x: $0, y: y) }
    }
    #expect(!changed.isEmpty)
    #expect(changed.allSatisfy { (300..<420).contains($0.x) && $0.y >= 230 })
  }

  /// The region is in the coordinates in which positions are printed: in a mirrored view of half
  /// the size, the largest face is on the right. The region's corner may be outside the view.
  @Test func theRegionIsInTheViewsPixels() throws {
    let right = ["--region", "200,-10,170,150"]
    #expect(try faces(right) == [])
    for view in [["--view", "360x200", "--mirror"], ["--view", "360x200", "--orientation", "2"]] {
      let run = try tool.runAll(["detect", "crowd.png", "--json"] + view + right).succeeded()
      let report = try run.output.decoded(as: DetectionReport.self)
      let box = try #require(report.faces.first).box
      #expect(report.faces.count == 1)
      #expect(abs(box.x + box.width / 2 - (360 - Crowd.middles[0].0 / 2)) < 10)
    }
  }

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "detect", "a.png",
      table: """
        --select biggest
        --select nicest | The value 'nicest' is invalid for '--select
        --max-faces 1
        --max-faces 0 | --max-faces 0: give a number of at least 1.
        --min-size 0
        --min-size=-1 | --min-size -1.0: give a number of at least 0.
        --min-size nan | --min-size nan: give a number of at least 0.
        --min-size inf | --min-size inf: give a number of at least 0.
        --region 1,2,3,4
        --region -1,-2,3,4
        --region 1,2,3 | The value '1,2,3' is invalid for '--region
        --region 1,2,3,4,5 | The value '1,2,3,4,5' is invalid
        --region 1,2,3,x | The value '1,2,3,x' is invalid
        --region 1,2,0,4 | The value '1,2,0,4' is invalid
        --region 1,2,3,-4 | The value '1,2,3,-4' is invalid
        --region nan,2,3,4 | The value 'nan,2,3,4' is invalid
        --region 1,2,inf,4 | The value '1,2,inf,4' is invalid
        --region 1,,3,4 | The value '1,,3,4' is invalid
        """)
    #expect(mistakes == [])
  }
}
