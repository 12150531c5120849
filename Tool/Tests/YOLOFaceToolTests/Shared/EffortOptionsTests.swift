// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceFormatting
import YOLOFaceReport

@testable import YOLOFaceTool

struct EffortOptionsTests {
  private let tool = Tool()

  /// One photo by the library and by the tool, with each effort: the same faces, and with the default those of
  /// one look.
  @Test func theToolFindsTheLibrarysFaces() throws {
    let picture = try Crowd.picture()
    try PNG.write(picture, to: tool.path("crowd.png"))
    let efforts: [(SearchEffort, String)] = [
      (.once, ""), (.checked, "--effort checked"), (.refined, "--effort refined"),
      (.thorough, "--effort thorough"),
    ]
    let detector = try FaceDetector()
    for (effort, option) in efforts {
      var options = DetectionOptions()
      options.effort = effort
      let report = DetectionReport(
        image: "crowd.png", width: picture.width, height: picture.height,
        faces: try detector.detect(in: picture, options: options))
      let run = try tool.run(line: "detect crowd.png --json \(option)").succeeded()
      #expect(run.output == (try report.json()) + "\n", "\(option)")
    }
  }

  @Test(
    arguments: [
      ("", .once, nil), ("--tiles 2", SearchEffort(tiles: 2), "tiles 2, rotations 1"),
      ("--effort once", .once, nil), ("--refine", .refined, "refined"),
      (
        "--rotations 4 --refine", SearchEffort(rotations: 4, closeLooks: .refined),
        "tiles 1, rotations 4, refined"
      ),
      ("--thorough", .thorough, "thorough"), ("--effort checked", .checked, "checked"),
      (
        "--thorough --effort checked",
        SearchEffort(tiles: nil, rotations: 4, looksSmall: true, closeLooks: .checked),
        "thorough, checked"
      ),
      (
        "--effort thorough --tiles 3", SearchEffort(tiles: 3, rotations: 4, looksSmall: true),
        "tiles 3, rotations 4"
      ),
    ] as [(String, SearchEffort, String?)])
  func optionsCombine(line: String, effort: SearchEffort, text: String?) throws {
    let options = try EffortOptions.parse(line.words)
    #expect(options.search() == effort && options.text == text)
  }

  /// A screenshot of 200 × 1400 is seen in windows of 200 × 640, which are not enlarged.
  @Test func explainsTheSearch() throws {
    try PNG.write(RGBImage(width: 200, height: 1400, fill: .white), to: tool.path("long.png"))
    let run = try tool.run(line: "detect long.png --explain-search").succeeded()
    #expect(
      run.output == """
        long.png: 200 × 1400 pixels, 0 faces
          look at 0,0 200x640, input 224x640
          look at 0,380 200x640, input 224x640
          look at 0,760 200x640, input 224x640

        """)
    let search = try tool.detected("long.png --explain-search").search
    #expect(search?.map(\.y) == [0, 380, 760])
    #expect(search?.allSatisfy { $0.inputWidth == 224 && !$0.mirrored } == true)
    let turned = try tool.run(line: "detect PHOTO --explain-search --thorough").succeeded().output
    #expect(turned.contains("look at 0,0 512x512, input 640x640, turned by 270°\n"))
    #expect(turned.contains("look at 0,0 512x512, input 224x224\n"))
  }

  @Test func saysThatPicturesAreMuchShrunk() throws {
    try PNG.write(RGBImage(width: 4000, height: 1400, fill: .white), to: tool.path("large.png"))
    #expect(
      try tool.run("detect", "large.png").succeeded().errors
        == "yoloface: 1 picture is shrunk to less than a sixth, so that small faces may be missed; "
        + "--long-side 1280 or --thorough may find more\n")
    #expect(try tool.run(line: "detect large.png --long-side 1280").succeeded().errors == "")
  }
}
