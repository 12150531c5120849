import Foundation
import Raster
import Testing
import YOLOFace

@testable import YOLOFaceTool

struct SelectionOptionsTests {
  private let tool: Tool

  init() throws {
    tool = try Tool()
    try PNG.write(try Crowd.picture(), to: tool.path("crowd.png"))
  }

  private struct Report: Decodable {
    struct Box: Decodable {
      var x, y, width, height: Double
    }
    struct Face: Decodable {
      var score: Double
      var box: Box
    }
    var faces: [Face]
  }

  /// The faces of the crowd that are found, in order: 0 is the largest, 2 the smallest.
  private func faces(_ arguments: [String]) throws -> [Int] {
    let run = try tool.runAll(["detect", "crowd.png", "--json"] + arguments)
    #expect(run.status == 0)
    let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    return try report.faces.map { face in
      let (x, y) = (face.box.x + face.box.width / 2, face.box.y + face.box.height / 2)
      return try #require(
        Crowd.middles.firstIndex { abs($0.0 - x) < 15 && abs($0.1 - y) < 15 })
    }
  }

  // The largest face's box is about 100 × 126, the smallest's half of it.
  @Test(arguments: [
    (["--select", "biggest"], [0, 1, 2]), (["--select", "biggest", "--max-faces", "2"], [0, 1]),
    (["--select", "central"], [2, 0, 1]), (["--select", "central", "--max-faces", "1"], [2]),
    (["--select", "biggest", "--min-size", "65"], [0, 1]),
    (["--min-size", "90"], [0]), (["--min-size", "500"], []),
    (["--region", "300,0,420,400", "--select", "biggest"], [1, 2]),
    (["--region", "500,50,200,100", "--select", "central"], [1]),
    (["--region", "0,0,720,400", "--select", "biggest", "--max-faces", "9"], [0, 1, 2]),
  ])
  func selects(arguments: [String], expected: [Int]) throws {
    #expect(try faces(arguments) == expected)
  }

  /// What the second look finds upside down has no sharpness, and comes last.
  @Test func theSharpestIsNotUpsideDown() throws {
    let options = try SelectionOptions.parse(["--select", "sharpest", "--max-faces", "1"])
    let image = try PNG.read(path: Tool.astronaut)
    let face = try #require(FaceDetector().detect(in: image).first)
    var other = face
    other.score -= 0.1
    let chosen = options.select(from: [face, other], of: image, in: nil) { faces in
      var faces = faces
      faces[0].isUpsideDown = true
      return faces
    }
    #expect(chosen.map(\.score) == [other.score])
    #expect(options.select(from: [face, other], of: image, in: nil) { $0 } == [face])
  }

  @Test func theBestScoreComesFirstByDefault() throws {
    let plain = try tool.run("detect", "crowd.png", "--json")
    let report = try JSONDecoder().decode(Report.self, from: Data(plain.output.utf8))
    let scores = report.faces.map(\.score)
    #expect(scores.count == 3)
    #expect(scores == scores.sorted(by: >))
    let best = try tool.run("detect", "crowd.png", "--json", "--select", "best")
    #expect(best.output == plain.output)
  }

  @Test func drawsOnlySelectedFaces() throws {
    let run = try tool.run(
      "detect", "crowd.png", "--select", "central", "--max-faces", "1", "--annotate", "out.png")
    #expect(run.output.contains(", 1 face\n"))
    let (crowd, drawn) = (try Crowd.picture(), try PNG.read(path: tool.path("out.png")))
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
      let run = try tool.runAll(["detect", "crowd.png", "--json"] + view + right)
      #expect(run.status == 0)
      let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
      let box = try #require(report.faces.first).box
      #expect(report.faces.count == 1)
      #expect(abs(box.x + box.width / 2 - (360 - Crowd.middles[0].0 / 2)) < 10)
    }
  }

  @Test(arguments: [
    ["--select", "nicest"], ["--max-faces", "0"], ["--max-faces", "-1"], ["--max-faces", "x"],
    ["--min-size", "-1"], ["--min-size", "nan"], ["--min-size", "inf"], ["--region", "1,2,3"],
    ["--region", "1,2,3,4,5"], ["--region", "1,2,3,x"], ["--region", "1,2,0,4"],
    ["--region", "1,2,3,-4"], ["--region", "nan,2,3,4"], ["--region", "1,2,inf,4"],
    ["--region", ""], ["--region", "1,,3,4"], ["--max-faces", "99999999999999999999"],
  ])
  func wrongUsageIsStatus64(arguments: [String]) throws {
    let run = try tool.runAll(["detect", "crowd.png"] + arguments)
    #expect(run.status == 64)
    #expect(run.output == "")
  }
}
