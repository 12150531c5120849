import FaceDecoding
import FaceReport
import Foundation
import Raster
import Testing

@testable import YOLOFaceTool

struct ViewOptionsTests {
  private let tool = Tool()

  private typealias Seen = (face: DetectionReport.Face, view: ViewReport?)

  /// The one face of a picture, as the view given by the flags shows it, and the view.
  private func seen(_ flags: String..., image: String = Tool.astronaut) throws -> Seen {
    try seen(in: tool.runAll(["detect", "--json", image] + flags).succeeded().output)
  }

  /// The same without a view.
  private func plain() throws -> Seen { try seen(in: Tool.astronautJSON.get()) }

  private func seen(in output: String) throws -> Seen {
    let report = try output.decoded(as: DetectionReport.self)
    #expect(report.width == 512 && report.height == 512 && report.faces.count == 1)
    return (try #require(report.faces.first), report.view)
  }

  /// Numbers are rounded to 0.001, and the views below scale them by factors of up to 2.
  private func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 0.003 }

  @Test func printsNoViewByDefault() throws {
    #expect(try plain().view == nil)
    #expect(try !Tool.astronautText.get().output.contains(", view"))
  }

  @Test func mirrors() throws {
    let (face, view) = try seen("--mirror")
    let plain = try self.plain().face
    #expect(view?.width == 512 && view?.height == 512 && view?.coordinates == "pixels")
    #expect(isClose(face.box.x, 512 - plain.box.x - plain.box.width))
    #expect(isClose(face.box.y, plain.box.y) && isClose(face.box.width, plain.box.width))
    #expect(isClose(face.landmarks!.rightEye.x, 512 - plain.landmarks!.leftEye.x))
  }

  /// 512 × 512 in 256 × 1024: half as large at (0, 384), twice as large at (−384, 0), or scaled by
  /// 0.5 and 2.
  @Test(arguments: [
    ([], 0.5, 0.5, 0.0, 384.0), (["--gravity", "aspect-fit"], 0.5, 0.5, 0, 384),
    (["--gravity", "aspect-fill"], 2, 2, -384, 0), (["--gravity", "resize"], 0.5, 2, 0, 0),
  ])
  func placesInAView(
    flags: [String], scaleX: Double, scaleY: Double, x: Double, y: Double
  ) throws {
    let run = try tool.runAll(["detect", "--json", Tool.astronaut, "--view", "256x1024"] + flags)
    let (face, view) = try seen(in: run.succeeded().output)
    let (box, plain) = (face.box, try self.plain().face.box)
    #expect(view?.width == 256 && view?.height == 1024 && view?.coordinates == "pixels")
    #expect(isClose(box.x, plain.x * scaleX + x) && isClose(box.y, plain.y * scaleY + y))
    #expect(isClose(box.width, plain.width * scaleX) && isClose(box.height, plain.height * scaleY))
  }

  @Test func writesFractions() throws {
    let plain = try self.plain().face
    let (normalized, view) = try seen("--coordinates", "normalized")
    #expect(view?.coordinates == "normalized")
    #expect(isClose(normalized.box.x * 512, plain.box.x))
    #expect(isClose(normalized.box.y * 512, plain.box.y))
    let (vision, visionView) = try seen("--coordinates", "vision")
    #expect(visionView?.coordinates == "vision")
    #expect(isClose(vision.box.y * 512, 512 - plain.box.y - plain.box.height))
    #expect(isClose(vision.landmarks!.nose.y * 512, 512 - plain.landmarks!.nose.y))
    let lower = try seen("--coordinates", "pixels-from-bottom-left").face
    #expect(isClose(lower.box.y, 512 - plain.box.y - plain.box.height))
  }

  @Test func printsTextWithTheView() throws {
    let run = try tool.run("detect", Tool.astronaut, "--view", "390x844", "--coordinates", "vision")
    #expect(
      run.output.hasPrefix(
        "\(Tool.astronaut): 512 × 512 pixels, 1 face, view 390 × 844, coordinates vision\n"))
    let box = try #require(run.output.firstMatch(of: #/box 0\.\d{4},0\.\d{4} 0\.\d{4}x0\.\d{4}  /#))
    #expect(!box.isEmpty)
  }

  /// A picture stored on its side, without a tag, is searched upright and gives the same face.
  @Test(arguments: ["right", "left"])
  func rotatesSidewaysPictures(name: String) throws {
    let inverse: Orientation = name == "right" ? .left : .right
    let stored = try Picture.read(path: Tool.astronaut).upright(from: inverse)
    try PNG.write(stored, to: tool.path("stored.png"))
    let plain = try self.plain().face
    let turned = try seen("--orientation", name, image: "stored.png").face
    #expect(turned.box == plain.box && turned.landmarks == plain.landmarks)
    #expect(turned.score == plain.score)
  }

  /// Commands without a view treat the picture as if it were stored upright.
  @Test func turnsPicturesWithoutAView() throws {
    let stored = try Picture.read(path: Tool.astronaut).upright(from: .left)
    try PNG.write(stored, to: tool.path("stored.png"))
    try tool.copyPhoto(to: "upright.png")
    func output(_ command: String, _ image: String, _ flags: String...) throws -> String {
      let images = command == "compare" ? [image, image, "--json"] : [image, "-o", "report.html"]
      let run = try tool.runAll([command] + images + flags).succeeded()
      if command == "compare" { return run.output.replacing(image, with: "") }
      let page = try tool.text("report.html")
      return String(try #require(page.firstMatch(of: #/data:image\/png;base64,[^"]*/#)).output)
    }
    for command in ["compare", "explain"] {
      // By number, since the other tests give names.
      let turned = try output(command, "stored.png", "--orientation", "6")
      #expect(try turned == output(command, "upright.png"))
    }
  }

  /// The written picture has the view's size and equals the library's rendering except for the
  /// drawing.
  @Test func drawsTheView() throws {
    let box = try seen("--view", "300x480", "--mirror", "--annotate", tool.path("a.png")).face.box
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
    let mistakes = tool.falseUsage(
      of: "detect", "a.png",
      table: """
        --view 1x1
        --view 0x1 | The value '0x1' is invalid for '--view
        --view 10 | The value '10' is invalid for '--view
        --view 32768x32768 | --view 32768x32768: give one of at most 64000000 pixels.
        --view 99999x1 | The value '99999x1' is invalid for '--view
        --view 9x9 --gravity aspect-fit
        --gravity resize | --gravity says how to fill a view: give --view too.
        --view 9x9 --gravity aspectFit | The value 'aspectFit' is invalid for '--gravity
        --orientation 1
        --orientation 0 | The value '0' is invalid for '--orientation
        --orientation 9 | The value '9' is invalid for '--orientation
        --orientation sideways | The value 'sideways' is invalid for '--orientation
        --orientation 06 | The value '06' is invalid for '--orientation
        --coordinates vision
        --coordinates Vision | The value 'Vision' is invalid for '--coordinates
        --mirror
        """)
    #expect(mistakes == [])
  }

  @Test func everyNameIsUnderstood() {
    for gravity in Gravity.allCases.indices {
      #expect(Gravity(argument: Gravity.allValueStrings[gravity]) == Gravity.allCases[gravity])
    }
    #expect(Gravity.allValueStrings == ["resize", "aspect-fit", "aspect-fill"])
    #expect(
      Orientation.allValueStrings == [
        "up", "up-mirrored", "down", "down-mirrored", "left-mirrored", "right", "right-mirrored",
        "left",
      ])
    for (index, name) in Orientation.allValueStrings.enumerated() {
      #expect(Orientation(argument: name)?.rawValue == index + 1)
      #expect(Orientation(argument: "\(index + 1)")?.rawValue == index + 1)
    }
    #expect(
      CoordinateSystem.allValueStrings
        == ["pixels", "pixels-from-bottom-left", "normalized", "vision"])
  }
}
