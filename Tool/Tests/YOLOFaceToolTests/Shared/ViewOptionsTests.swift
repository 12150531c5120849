// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceDecoding
import YOLOFaceRaster
import YOLOFaceReport

@testable import YOLOFaceTool

struct ViewOptionsTests {
  private let tool = Tool()

  private typealias Seen = (face: DetectionReport.Face, view: ViewReport?)

  /// The one face of a picture, as the view given by the options shows it, and the view.
  private func seen(_ options: String, image: String = "PHOTO") throws -> Seen {
    let report = try tool.detected("\(image) \(options)")
    #expect(report.width == 512 && report.height == 512 && report.faces.count == 1)
    return (try #require(report.faces.first), report.view)
  }

  /// The same without a view.
  private func plain() throws -> DetectionReport.Face {
    let report = try Tool.astronautJSON.get().decoded(as: DetectionReport.self)
    #expect(report.view == nil)
    return try #require(report.faces.first)
  }

  @Test func textSaysWhatTheViewIs() throws {
    #expect(try !Tool.astronautText.get().output.contains(", view"))
    let run = try tool.run(line: "detect PHOTO --view 390x844 --coordinates vision")
    #expect(
      run.output.hasPrefix(
        "\(Tool.astronaut): 512 × 512 pixels, 1 face, view 390 × 844, coordinates vision\n"))
    #expect(run.output.contains(#/box 0\.\d{4},0\.\d{4} 0\.\d{4}x0\.\d{4}  /#))
  }

  /// 512 × 512 in 256 × 1024: half as large at (0, 384), twice as large at (−384, 0), or scaled by 0.5 and 2.
  @Test(
    arguments: [
      ("--mirror", "512x512 pixels", -1, 1, 512, 0),
      ("--view 256x1024", "256x1024 pixels", 0.5, 0.5, 0, 384),
      ("--view 256x1024 --gravity aspect-fit", "256x1024 pixels", 0.5, 0.5, 0, 384),
      ("--view 256x1024 --gravity aspect-fill", "256x1024 pixels", 2, 2, -384, 0),
      ("--view 256x1024 --gravity resize", "256x1024 pixels", 0.5, 2, 0, 0),
      ("--coordinates normalized", "512x512 normalized", 1 / 512, 1 / 512, 0, 0),
      ("--coordinates vision", "512x512 vision", 1 / 512, -1 / 512, 0, 1),
      (
        "--coordinates pixels-from-bottom-left", "512x512 pixels-from-bottom-left", 1, -1, 0, 512
      ),
    ] as [(String, String, Double, Double, Double, Double)])
  func showsWhatAViewShows(
    options: String, view: String, scaleX: Double, scaleY: Double, x: Double, y: Double
  ) throws {
    let plain = try plain()
    let (face, report) = try seen(options)
    #expect(report.map { "\($0.width)x\($0.height) \($0.coordinates)" } == view)
    func isClose(_ found: Double, _ number: Double, scale: Double, shift: Double) -> Bool {
      // Numbers are rounded to 0.001, and these scale them by factors of up to 2.
      abs(found - number * scale - shift) < 0.003 * min(1, abs(scale))
    }
    let (box, old) = (face.box, plain.box)
    #expect(isClose(box.x, old.x + (scaleX < 0 ? old.width : 0), scale: scaleX, shift: x))
    #expect(isClose(box.y, old.y + (scaleY < 0 ? old.height : 0), scale: scaleY, shift: y))
    #expect(isClose(box.width, old.width, scale: abs(scaleX), shift: 0))
    #expect(isClose(box.height, old.height, scale: abs(scaleY), shift: 0))
    let landmarks = try #require(plain.landmarks)
    let eye = scaleX < 0 ? landmarks.leftEye : landmarks.rightEye
    let found = try #require(face.landmarks?.rightEye)
    #expect(isClose(found.x, eye.x, scale: scaleX, shift: x))
    #expect(isClose(found.y, eye.y, scale: scaleY, shift: y))
  }

  /// A picture stored on its side, without a tag, is searched upright and gives the same face.
  @Test(arguments: [("right", Orientation.left), ("left", .right)])
  func rotatesSidewaysPictures(name: String, inverse: Orientation) throws {
    let stored = try Picture.read(path: Tool.astronaut).upright(from: inverse)
    try PNG.write(stored, to: tool.path("stored.png"))
    let plain = try plain()
    let turned = try seen("--orientation \(name)", image: "stored.png").face
    #expect(turned.box == plain.box && turned.landmarks == plain.landmarks)
    #expect(turned.score == plain.score)
  }

  /// Commands without a view treat the picture as if it were stored upright.
  @Test func turnsPicturesWithoutAView() throws {
    let stored = try Picture.read(path: Tool.astronaut).upright(from: .left)
    try PNG.write(stored, to: tool.path("stored.png"))
    try tool.copyPhoto(to: "upright.png")
    func compared(_ image: String, _ options: String = "") throws -> String {
      let run = try tool.run(line: "compare \(image) \(image) --json \(options)").succeeded()
      return run.output.replacing(image, with: "")
    }
    func explained(_ image: String, _ options: String = "") throws -> Substring {
      try tool.run(line: "explain \(image) -o report.html \(options)").succeeded()
      let page = try tool.text("report.html")
      return try #require(page.firstMatch(of: #/data:image\/png;base64,[^"]*/#)).output
    }
    // By number, since the other tests give names.
    #expect(try compared("stored.png", "--orientation 6") == compared("upright.png"))
    #expect(try explained("stored.png", "--orientation 6") == explained("upright.png"))
  }

  /// The written picture has the view's size and equals the library's rendering except for the
  /// drawing.
  @Test func drawsTheView() throws {
    let box = try seen("--view 300x480 --mirror --annotate a.png").face.box
    let drawn = try Picture.read(path: tool.path("a.png"))
    #expect(drawn.width == 300 && drawn.height == 480)
    // The bars above and below are background; the side of the box is its green.
    #expect(drawn[150, 45] == .black && drawn[150, 435] == .black)
    // The line is hardly wider than a pixel, and covers parts of two.
    for side in [box.x, box.x + box.width] {
      let pixels = (-1...1).map { drawn[Int(side) + $0, Int(box.y + box.height / 2)] }
      #expect(pixels.contains { $0.green / 2 > max($0.red, $0.blue) }, "\(pixels)")
    }
  }

  @Test func refusesWrongUsage() {
    tool.expectUsage(
      of: "detect a.png",
      table: """
        --view 1x1
        --view 0x1 / 10 / 99999x1 | is invalid for '--view
        --view 32768x32768 | --view 32768x32768: give one of at most 64000000 pixels.
        --gravity resize | --gravity says how to fill a view: give --view too.
        --view 9x9 --gravity aspectFit | The value 'aspectFit' is invalid for '--gravity
        --orientation 0 / 9 / sideways / 06 | is invalid for '--orientation
        --coordinates Vision | The value 'Vision' is invalid for '--coordinates
        """)
  }

  @Test func everyOrientationHasANameAndANumber() {
    let names =
      "up up-mirrored down down-mirrored left-mirrored right right-mirrored left".words
    #expect(Orientation.allValueStrings == names)
    for (index, name) in names.enumerated() {
      #expect(Orientation(argument: name)?.rawValue == index + 1)
      #expect(Orientation(argument: "\(index + 1)")?.rawValue == index + 1)
    }
  }
}
