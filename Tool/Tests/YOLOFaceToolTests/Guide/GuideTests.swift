// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFace
import YOLOFaceRaster

@testable import YOLOFaceTool

struct GuideTests {
  private let tool = Tool()

  private static let astronaut = Result { try Picture.read(path: Tool.astronaut) }

  /// A picture of 640 × 480 pixels with the astronaut's face, about 100 × 126 pixels times a scale,
  /// around a point.
  private func frame(_ scale: Double, _ x: Double, _ y: Double) throws -> RGBImage {
    let photo = try Self.astronaut.get()
    let side = Int(512 * scale)
    var frame = RGBImage(width: 640, height: 480)
    frame.draw(
      try photo.resized(width: side, height: side, filter: .area), atX: Int(x - 225 * scale),
      y: Int(y - 117 * scale))
    return frame
  }

  /// Writes frames, named so that they are in order.
  private func write(_ frames: [RGBImage]) throws {
    for (number, frame) in frames.enumerated() {
      try tool.write(Data(PNG.encode(frame)), to: "frames/\(100 + number).png")
    }
  }

  @Test func escapesControlCharactersInNames() throws {
    try tool.writeBlankPictures(["frames/\u{1B}]0;a\u{7}.png"])
    let run = try tool.run("guide", "frames", "--circle", "32,32,20").succeeded()
    #expect(run.output.hasPrefix("frames/\\u{1B}]0;a\\u{7}.png: "))
  }

  private struct Line: Decodable, Equatable {
    var frame: Int
    var time: FrameTime
    var image, state, verdict, tip: String
    var goodFrames: Int
    var faces: [Face]

    struct Face: Decodable, Equatable {
      var box: [String: Double]
      var pose: [String: Double]?
    }
  }

  private func guide(_ circle: String, _ flags: String...) throws -> [Line] {
    try tool.runAll(["guide", "frames", "--json", "--circle", circle] + flags).succeeded().output
      .decodedLines()
  }

  @Test func printsAVerdictPerFrame() throws {
    let good = try frame(1.6, 320, 240)
    var two = try frame(1, 160, 240)
    two.draw(try frame(1, 160, 240), atX: 320, y: 0)
    try write([
      RGBImage(width: 640, height: 480, fill: RGBColor(red: 90, green: 120, blue: 90)), two,
      try frame(1.6, 480, 240), try frame(0.8, 320, 240), try frame(3, 320, 260), good, good,
      try frame(1.6, 350, 240), good, good, good, good,
    ])
    let lines = try guide("320,240,150", "--good-frames", "3", "--frame-rate", "2")
    #expect(
      lines.map { "\($0.state) \($0.verdict)" } == [
        "start noFace", "start severalFaces", "start outsideCircle", "start tooSmall",
        "start tooLarge", "start holdStill", "checking success", "start holdStill",
        "start holdStill", "checking success", "checking success", "finish success",
      ])
    #expect(lines.map(\.frame) == Array(0..<12))
    #expect(lines.map(\.time) == (0..<12).map { FrameTime(value: $0, timescale: 2) })
    #expect(lines.map(\.faces.count) == [0, 2] + Array(repeating: 1, count: 10))
    #expect(lines[0].tip == "Please put your face into the frame")
    #expect(lines[3].image == "frames/103.png")
    #expect(lines[6].faces.first?.pose?.keys.sorted() == ["pitch", "roll", "yaw"])
    let text = try tool.run(
      "guide", "frames", "--circle", "320,240,150", "--good-frames", "3", "--frame-rate", "2")
    #expect(
      text.output.hasSuffix("\nframes/111.png: 5.50 s  finish 3/3  success  Done, thank you\n"))
    #expect(text.errors == "")
  }

  /// Times that a double cannot represent: the session times out in exactly the frame that reaches
  /// the limit, and stays so.
  @Test(arguments: [("10", "1.1", 11, 10), ("30000/1001", "1001/3000", 10, 30000)])
  func timesAreExactFractions(rate: String, limit: String, last: Int, timescale: Int) throws {
    try tool.writeBlankPictures((0...last + 1).map { "frames/\(100 + $0).png" })
    let lines = try guide(
      "32,32,20", "--frame-rate", rate, "--time-out", limit, "--long-side", "64")
    #expect(lines.map(\.state) == Array(repeating: "start", count: last) + ["timeOut", "timeOut"])
    let parts = timescale == 10 ? 1 : 1001
    #expect(
      lines.map(\.time)
        == (0...last + 1).map { FrameTime(value: $0 * parts, timescale: timescale) })
  }

  /// The centre of a circle may be outside the view, but not the whole circle.
  @Test func refusesACircleOutsideTheView() throws {
    try write([try frame(1.6, 320, 240)])
    let size = Size2D(width: 640, height: 480)
    for circle in ["5000,240,100", "320,-200,200", "-80,-80,100"] {
      #expect(try #require(CircularMask(argument: circle)).touches(size) == false, "\(circle)")
    }
    for flags in [["-80,-80,100"], ["500,240,100", "--view", "320x240"]] {
      let run = try tool.runAll(["guide", "frames", "--circle"] + flags)
      run.failedUsage(saying: "--circle is outside the ")
      #expect(run.output.isEmpty)
    }
    #expect(try guide("-10,-10,100").first?.verdict == "outsideCircle")
  }

  @Test func ignoresPassersByWhenOnlyTheBiggestFaceCounts() throws {
    var two = try frame(1.6, 240, 240)
    let other = try frame(0.8, 520, 240).cropped(x: 440, y: 0, width: 200, height: 480)
    two.draw(other, atX: 440, y: 0)
    try write([two])
    #expect(try guide("240,240,150").first?.verdict == "severalFaces")
    let one = try guide("240,240,150", "--select", "biggest", "--max-faces", "1")
    #expect(one.first?.verdict == "success")
  }

  /// A green circle, the rest dimmed, and the tip at the bottom.
  @Test func drawsGuidance() throws {
    try write([frame(1.6, 320, 240), RGBImage(width: 640, height: 480, fill: .white)])
    _ = try guide("320,240,150", "--annotate", "new/guided")
    let drawn = try Picture.read(path: tool.path("new/guided/000000.png"))
    #expect(drawn.width == 640 && drawn.height == 480)
    #expect(drawn[320, 90].green > 200 && drawn[320, 90].red < 120, "on the circle")
    let empty = try Picture.read(path: tool.path("new/guided/000001.png"))
    #expect(empty[320, 90].red > 200 && empty[320, 90].blue < 120, "orange where it is not good")
    #expect(empty[320, 240] == .white && empty[5, 5] == RGBColor(red: 102, green: 102, blue: 102))
    let bottom = (0..<640).map { x in (440..<480).contains { empty[x, $0] == .white } }
    #expect(bottom.contains(true), "the tip")
  }

  /// The circle is in the coordinates of a mirrored view of half the size: the face at x = 480
  /// appears at 80.
  @Test func theCircleIsInTheViewsPixels() throws {
    try write([try frame(1.6, 480, 240)])
    let line = try #require(
      guide("80,120,75", "--view", "320x240", "--mirror", "--annotate", "guided").first)
    #expect(line.verdict == "success")
    let box = try #require(line.faces.first?.box)
    #expect(abs((box["x"] ?? 0) + (box["width"] ?? 0) / 2 - 80) < 10)
    #expect(try Picture.read(path: tool.path("guided/000000.png")).width == 320)
    let other = try guide("240,120,75", "--view", "320x240", "--mirror")
    #expect(other.first?.verdict == "outsideCircle")
  }

  @Test func skipsUnreadableFrames() throws {
    let blank = RGBImage(width: 640, height: 480)
    try write([blank, blank, RGBImage(width: 64, height: 48), blank])
    try tool.write("no picture", to: "frames/101.png")
    let run = try tool.run("guide", "frames", "--circle", "320,240,150", "--json").failed(
      saying: "frames/102.png: found 64 × 48 pixels, expected 640 × 480, as before")
    #expect(try run.output.decodedLines(as: Line.self).map(\.frame) == [0, 3])
    #expect(run.errors.contains("frames/101.png"))
  }

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "guide",
      table: """
        a.png --circle 1,2,3
        a.png | Missing expected argument '--circle
        a.png --circle 1,2 | The value '1,2' is invalid for '--circle
        a.png --circle 1,2,0 | The value '1,2,0' is invalid
        a.png --circle 1,2,-3 | The value '1,2,-3' is invalid
        a.png --circle 1,2,nan | The value '1,2,nan' is invalid
        a.png --circle 1,2,inf | The value '1,2,inf' is invalid
        a.png --circle 1,2,3,4 | The value '1,2,3,4' is invalid
        a.png --circle a,2,3 | The value 'a,2,3' is invalid
        a.png --circle 1e300,2,3 | The value '1e300,2,3' is invalid
        a.png --circle 1,2,3 --good-frames 1
        a.png --circle 1,2,3 --good-frames 0 | --good-frames 0: give a number from 1 to 1000000.
        a.png --circle 1,2,3 --time-out 0.5
        a.png --circle 1,2,3 --time-out 0 | The value '0' is invalid for '--time-out
        a.png --circle 1,2,3 --raw 9x9 | Give either pictures, a film, or --raw.
        --circle 1,2,3 --raw 9x9
        --circle 1,2,3 | Give either pictures, a film, or --raw.
        """)
    #expect(mistakes == [])
  }
}
