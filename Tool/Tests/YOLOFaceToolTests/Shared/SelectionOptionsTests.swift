// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFace
import YOLOFaceRaster
import YOLOFaceReport

@testable import YOLOFaceTool

struct SelectionOptionsTests {
  private let tool: Tool

  init() throws {
    tool = Tool()
    try PNG.write(try Crowd.picture(), to: tool.path("crowd.png"))
  }

  /// Which face of the crowd is at a point; -1 for none.
  private func place(of center: Point2D) -> Int {
    Crowd.middles.firstIndex { abs($0.0 - center.x) < 15 && abs($0.1 - center.y) < 15 } ?? -1
  }

  /// Which faces of the crowd are chosen, in order: 0 is the largest, 2 the smallest. The largest face's box is
  /// about 100 × 126, the smallest's half of it.
  @Test func selects() throws {
    let picture = try Crowd.picture()
    let found = try FaceDetector().detect(in: picture)
    func selected(_ line: String) throws -> [Face] {
      try SelectionOptions.parse(line.words).select(from: found, of: picture, in: nil)
    }
    for (line, expected) in [
      ("--select biggest --max-faces 2", [0, 1]), ("--select central", [2, 0, 1]),
      ("--select biggest --min-size 65", [0, 1]), ("--min-size 500", []),
      ("--region 300,0,420,400 --select biggest", [1, 2]),
      ("--region 0,0,720,400 --select biggest --max-faces 9", [0, 1, 2]),
    ] {
      #expect(try selected(line).map { place(of: $0.box.center) } == expected, "\(line)")
    }
    for line in ["", "--select best"] {
      #expect(try selected(line).map(\.score) == found.map(\.score).sorted(by: >), "\(line)")
    }
    let faces = try tool.detected("crowd.png --region 300,0,420,400 --select biggest").faces
    #expect(faces.map { place(of: $0.box.center) } == [1, 2], "as the command does")
  }

  /// What the second look finds upside down has no sharpness, and comes last.
  @Test func theSharpestIsNotUpsideDown() throws {
    let options = try SelectionOptions.parse("--select sharpest --max-faces 1".words)
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
      line: "detect crowd.png --select central --max-faces 1 --annotate out.png")
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
    let right = "crowd.png --region 200,-10,170,150"
    #expect(try tool.detected(right).faces.isEmpty)
    for view in ["--mirror", "--orientation 2"] {
      let faces = try tool.detected("\(right) --view 360x200 \(view)").faces
      #expect(faces.count == 1)
      let box = try #require(faces.first).box
      #expect(abs(box.x + box.width / 2 - (360 - Crowd.middles[0].0 / 2)) < 10)
    }
  }

  @Test func refusesWrongUsage() {
    tool.expectUsage(
      of: "detect a.png",
      table: """
        --select nicest | The value 'nicest' is invalid for '--select
        --max-faces 1
        --max-faces 0 | --max-faces 0: give a number of at least 1.
        --min-size 0
        --min-size=-1 / nan / inf | give a number of at least 0.
        --region 1,2,3,4 / -1,-2,3,4
        --region 1,2,3 / 1,2,3,4,5 / 1,2,3,x / 1,,3,4 / nan,2,3,4 / 1,2,inf,4 | is invalid for '--region
        --region 1,2,0,4 / 1,2,3,-4 | is invalid for '--region
        """)
  }
}
