// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster

@testable import YOLOFaceTool

struct CompareTests {
  private let tool = Tool()

  private struct Report: Decodable {
    struct Side: Decodable {
      struct Face: Decodable { var box: Box }
      var image: String
      var face: Face
    }
    var score, distance: Double
    var mirrored: Bool
    var residuals: [String: Double]
    var first, second: Side
    var overlay: String?
  }

  private func compare(_ line: String) throws -> Report {
    let run = try tool.run(line: "compare --json \(line)").succeeded()
    #expect(run.errors == "")
    return try run.output.decoded()
  }

  @Test func aPictureMatchesItself() throws {
    let report = try compare("PHOTO PHOTO --overlay both.png")
    #expect(report.score == 100 && report.distance == 0 && !report.mirrored)
    #expect(report.first.image == Tool.astronaut && report.overlay == "both.png")
    let drawn = try Picture.read(path: tool.path("both.png"))
    #expect(drawn.width == 640 && drawn.height == 320)
    #expect(Array(report.residuals.values) == [0, 0, 0, 0, 0])
  }

  @Test func textSaysThatItIsNotIdentity() throws {
    let run = try tool.run(line: "compare PHOTO PHOTO").succeeded()
    #expect(
      run.output == """
        \(Tool.astronaut) and \(Tool.astronaut): score 100.0 of 100
          distance 0.0000  right eye 0.0000  left eye 0.0000  nose 0.0000  right mouth 0.0000  left mouth 0.0000
        Five points compare pose and expression, not identity.

        """)
    let help = YOLOFaceCommand.helpMessage(for: Compare.self).split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("do not tell who it is"))
  }

  /// The biggest face in the photo looks at the camera; the most central one is in profile.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func aProfileMatchesItsMirrorImageOnlyWithMirrored() throws {
    let zidane = SharedData.path("images/zidane.png")
    let mirror = try Picture.read(path: zidane).upright(from: .upMirrored)
    try PNG.write(mirror, to: tool.path("mirror.png"))
    let plain = try compare("\(zidane) mirror.png --select central").score
    let mirrored = try compare("\(zidane) mirror.png --select central --mirrored")
    #expect(mirrored.mirrored && mirrored.score > plain + 20 && plain < 20)

    let frontal = try compare("PHOTO \(zidane)").score
    #expect(try compare("PHOTO \(zidane) --select central").score < frontal - 10)
  }

  @Test func comparesTheBiggestFaceOrTheSelectedOne() throws {
    try PNG.write(try Crowd.picture(), to: tool.path("crowd.png"))
    #expect(try compare("crowd.png PHOTO").first.face.box.x < 200)
    let central = try compare("crowd.png PHOTO --select central").first.face.box
    #expect((300..<400).contains(central.x) && central.y > 230)
  }

  @Test func warnsOfAnUpsideDownFace() throws {
    let turned = try Picture.read(path: Tool.astronaut).upright(from: .down)
    try PNG.write(turned, to: tool.path("turned.png"))
    let run = try tool.run(line: "compare --json PHOTO turned.png").succeeded()
    #expect(
      run.errors
        == "yoloface: turned.png: the face is upside down, and its landmarks are not to be "
        + "trusted\n")
    #expect(run.output.components(separatedBy: #""upsideDown":true"#).count == 2)
  }

  @Test(arguments: ["blank.png PHOTO", "PHOTO blank.png"])
  func namesThePictureWithoutAFace(pair: String) throws {
    try tool.writeBlankPictures(["blank.png"])
    let run = try tool.run(line: "compare \(pair) --overlay both.png").failed()
    #expect(run.output == "" && !tool.exists("both.png"))
    #expect(
      run.errors == "yoloface: blank.png: found no face, expected one to compare; "
        + "a lower --score-threshold finds more\n")
  }
}
