// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceRaster
import YOLOFaceReport

@testable import YOLOFaceTool

/// `yoloface track`, in a process of its own.
struct TrackTests {
  private struct Frame: Decodable {
    struct Face: Decodable {
      var id: Int
      var state: String
      var box: Box
      var duration: FrameTime
    }
    var frame: Int
    var image: String?
    var time: FrameTime
    var faces: [Face]
    var missed, lost: [Int]
  }

  private let tool = Tool()

  private func frames(_ run: Tool.Run) throws -> [Frame] { try run.output.decodedLines() }

  /// The astronaut as raw frames, whose rows end in padding bytes other than 0.
  private func writeRaw(_ name: String, copies: Int, padding: Int, dropping: Int = 0) throws {
    let bytes = try Picture.read(path: Tool.astronaut).rawBGRA(
      padding: [UInt8](repeating: 0xA5, count: padding))
    try tool.write(Data(repeatElement(bytes, count: copies).joined().dropLast(dropping)), to: name)
  }

  @Test func paddedRawFramesGiveTheSameFacesAsThePicture() throws {
    try writeRaw("film.bgra", copies: 2, padding: 24)
    let raw = try tool.runShell(
      "\"$tool\" track --raw 512x512 --pixel-format bgra --row-stride 2072 < film.bgra"
    ).succeeded()
    let files = try tool.run("track", Tool.astronaut, Tool.astronaut)
    let found = try frames(raw)
    #expect(try found.map { $0.faces.map(\.box) } == frames(files).map { $0.faces.map(\.box) })
    #expect(found.map { $0.faces.map { "\($0.id) \($0.state)" } } == [["1 new"], ["1 tracked"]])
  }

  @Test func aTruncatedFrameIsAnError() throws {
    try writeRaw("film.bgra", copies: 2, padding: 0, dropping: 100)
    let run = try tool.runShell("\"$tool\" track --raw 512x512 < film.bgra").failed(
      saying: "found 1048476 bytes of frame 1, expected 1048576")
    #expect(try frames(run).count == 1)
  }

  /// A film without a frame comes from a converter that failed. As of pictures, more pixels than usual can be
  /// allowed; `refusesWrongUsage` allows fewer.
  @Test(arguments: [
    ("track --raw 32x32", 4096), ("guide --circle 9,9,9 --raw 32x32", 4096),
    ("track --raw 8192x8192 --max-pixels 70000000", 268_435_456),
  ])
  func aVideoWithoutFramesIsAnError(command: String, bytes: Int) throws {
    try tool.runShell("\"$tool\" \(command) < /dev/null").failed(
      saying: "found 0 bytes of frame 0, expected \(bytes)")
  }

  /// With more candidates than a tracker can follow, it follows the best.
  @Test func followsNoMoreFacesThanATrackerCan() throws {
    let run = try tool.run("track", Tool.astronaut, "--score-threshold", "0").succeeded()
    #expect(try frames(run).first?.faces.count == 2048)
  }

  @Test func refusesAGapShorterThanAFrame() throws {
    let short = ["track", Tool.astronaut, "--frame-rate", "30000/1001", "--maximum-gap"]
    try tool.runAll(short + ["1001/30001", "--annotate", "followed"])
      .failedUsage(saying: "give at least 1001/30000 s")
    #expect(!tool.exists("followed"))
    try tool.runAll(short + ["1001/30000"]).succeeded()
    let slow = try tool.run("track", Tool.astronaut, Tool.astronaut, "--frame-rate", "1/2")
    #expect(try frames(slow.succeeded()).map { $0.faces.map(\.id) } == [[1], [1]])
  }

  @Test func skipsADamagedPictureButNotItsTime() throws {
    try tool.write("no picture", to: "bad.png")
    let run = try tool.run("track", Tool.astronaut, "bad.png", Tool.astronaut).failed()
    let found = try frames(run)
    #expect(found.map(\.frame) == [0, 2] && found.map { $0.faces.map(\.id) } == [[1], [1]])
  }

  /// A pipe that its other end made non-blocking may be empty between two frames.
  @Test func waitsForRawFrames() throws {
    let pipe = Pipe()
    let input = pipe.fileHandleForReading
    #expect(fcntl(input.fileDescriptor, F_SETFL, O_NONBLOCK) == 0)
    let (output, writing) = (tool.path("stdout"), pipe.fileHandleForWriting)
    let writer = Thread {
      try? writing.write(contentsOf: Data(count: 32 * 32 * 4))
      // The second frame is sent once the first has been answered, or after 30 s.
      for _ in 0..<3000 {
        if let text = try? String(contentsOfFile: output, encoding: .utf8), !text.isEmpty { break }
        Thread.sleep(forTimeInterval: 0.01)
      }
      try? writing.write(contentsOf: Data(count: 32 * 32 * 4))
      try? writing.close()
    }
    writer.start()
    let run = try tool.runAll(["track", "--raw", "32x32"], standardInput: input).succeeded()
    #expect(try frames(run).count == 2)
  }

  @Test func drawsFramesByNumberAndReplacesNone() throws {
    try tool.run("track", Tool.astronaut, "--annotate", "followed").succeeded()
    let drawn = try Picture.read(path: tool.path("followed/000000.png"))
    #expect(try drawn.width == 512 && drawn.pixels != Picture.read(path: Tool.astronaut).pixels)
    let second = try tool.run("track", Tool.astronaut, Tool.astronaut, "--annotate", "followed")
      .failed(saying: "000000.png")
    // The face is new in the first frame that is printed.
    #expect(second.output.contains(#""frame":1,"#) && second.output.contains(#""state":"new""#))
  }

  /// A limit on the size of files simulates a full disk, which every further frame would meet.
  @Test func stopsAtAFullDisk() throws {
    let run = try tool.runShell(
      "trap '' XFSZ; ulimit -f 8; \"$tool\" track \"$1\" \"$1\" \"$1\" --annotate followed",
      Tool.astronaut
    ).failed(saying: "followed/000000.png: found file too large")
    #expect(run.output == "" && !run.errors.contains("000001"), "\(run.errors)")
  }

  /// As `detect` does, except for the directory to which frames are written.
  @Test func entersSubdirectories() throws {
    try tool.writeBlankPictures(["f/b/c/1.png", "f/b/0.png", "f/a.png", "f/d.png", "f/out/9.png"])
    let run = try tool.run("track", "f", "--annotate", "f/out").succeeded()
    #expect(try frames(run).map(\.image) == ["f/a.png", "f/b/0.png", "f/b/c/1.png", "f/d.png"])
    #expect(tool.exists("f/out/000003.png"))
  }

  @Test func refusesWrongUsage() {
    let mistakes = tool.falseUsage(
      of: "track",
      table: """
        photo.png
        | Give either pictures, a film, or --raw.
        --raw 512x512
        --raw 512x512 photo.png | Give either pictures, a film, or --raw.
        --raw 30000x30000 | --raw 30000x30000: give a size of at most 64000000 pixels
        --raw 64x48 --max-pixels 3072
        --raw 64x48 --max-pixels 3071 | --raw 64x48: give a size of at most 3071 pixels
        --raw 512 | The value '512' is invalid for '--raw
        photo.png --pixel-format bgra | --pixel-format and --row-stride describe raw frames
        --raw 512x512 --row-stride 2048
        --raw 512x512 --row-stride 2047 | --row-stride 2047: give at least the 2048 bytes of a row
        --raw 512x512 --row-stride 9223372036854775807 | --row-stride 9223372036854775807: give at least
        --raw 1x32768 --row-stride 1048580 | --row-stride 1048580: give frames of at most
        photo.png --frame-rate 30000/1001
        photo.png --frame-rate 0 | The value '0' is invalid for '--frame-rate
        photo.png --maximum-gap 0.5
        photo.png --maximum-gap 0 | The value '0' is invalid for '--maximum-gap
        photo.png --no-labels | --no-labels, --no-landmarks and --line-width say how to draw
        photo.png --mot --coordinates pixels
        photo.png --mot --coordinates vision | --mot is in pixels from the top left
        """)
    #expect(mistakes == [])
  }

  @Test func printsTheFormOfMOTChallenge() throws {
    try tool.writeBlankPictures(["blank.png"], side: 512)
    let run = try tool.run("track", Tool.astronaut, "blank.png", Tool.astronaut, "--mot")
    let rows = run.succeeded().output.split(separator: "\n").map {
      $0.split(separator: ",").map(String.init)
    }
    try #require(rows.count == 2)
    #expect(rows.map { $0[...1] } == [["1", "1"], ["3", "1"]])
    #expect(rows.allSatisfy { $0[7...] == ["-1", "-1", "-1"] })
    let box = try #require(tool.detected(Tool.astronaut).faces.first).box
    for (text, number) in zip(rows[0][2...5], [box.x + 1, box.y + 1, box.width, box.height]) {
      #expect(abs(try #require(Double(text)) - number) < 0.006)
    }
  }
}
