import FilmSupport
import Foundation
import Raster
import TestSupport
import Testing

/// `track`, `guide` and `anonymise` on a film's file, which ffmpeg makes of frames.
@Suite(.enabled(if: Programs.path(ofAny: "ffmpeg") != nil, "needs ffmpeg"))
struct FilmTests {
  private struct Line: Decodable {
    struct Time: Decodable {
      var value: Int
      var timescale: Int
    }
    struct Face: Decodable {
      var id: Int
    }
    var frame: Int
    var time: Time
    var faces: [Face]
  }

  private let tool: Tool

  /// The film is of 8 frames: the astronaut, at 25 frames per second.
  init() throws {
    tool = try Tool()
    let frames = tool.directory.appending(path: "frames")
    try FileManager.default.createDirectory(at: frames, withIntermediateDirectories: true)
    for number in 0..<8 {
      try FileManager.default.copyItem(
        atPath: Tool.astronaut, toPath: frames.appending(path: "\(number).png").path)
    }
    try Programs.ffmpeg([
      "-framerate", "25", "-i", tool.path("frames/%d.png"), "-pix_fmt", "yuv420p",
      tool.path("film.mp4"),
    ])
  }

  private func lines(_ arguments: String...) throws -> [Line] {
    let run = try tool.runAll(arguments).succeeded()
    return try run.output.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
  }

  /// What is left of a film is searched, but not taken for the whole.
  @Test func aFilmThatIsCutOffIsAFailure() throws {
    // Each frame by itself, so that those before the cut are whole.
    try Programs.ffmpeg(["-i", tool.path("film.mp4"), "-g", "1", tool.path("cut.mkv")])
    let cut = tool.directory.appending(path: "cut.mkv")
    let bytes = try Data(contentsOf: cut)
    try bytes.prefix(bytes.count / 2).write(to: cut)
    for arguments in [["track", "cut.mkv"], ["anonymise", "cut.mkv", "-o", "hidden.mp4"]] {
      let run = try tool.runAll(arguments).failed(saying: "cut.mkv: ffmpeg went on")
      #expect(!run.output.isEmpty)
    }
    #expect(try (1..<8).contains(lines("track", "hidden.mp4").count))
  }

  /// Frames that an earlier film left would mix with the new ones.
  @Test func aFilmsFramesAreWrittenBesideNoOthers() throws {
    try tool.writeBlankPictures(["out/000007.png"])
    try tool.run("anonymise", "film.mp4", "-o", "out").failed(
      saying: "out/000007.png: found an existing file")
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.path("out"))
    #expect(names == ["000007.png"])
    try tool.writeBlankPictures(["other/cover.png", "other/7.png", "other/-00001.png"])
    try tool.run("anonymise", "film.mp4", "-o", "other").succeeded()
  }

  @Test func followsFacesAtTheFilmsRate() throws {
    let lines = try lines("track", "film.mp4")
    #expect(lines.map(\.frame) == Array(0..<8))
    #expect(lines.allSatisfy { $0.faces.map(\.id) == [1] })
    // Frame 7 is 7 / 25 s after frame 0.
    let time = try #require(lines.last).time
    #expect(time.value * 25 == 7 * time.timescale)
    _ = try self.lines("track", "frames", "--frame-rate", "25", "--annotate", "drawn.mp4")
    #expect(try self.lines("track", "drawn.mp4").count == 8)
    // Frames at 5 per second, of 0.32 s.
    #expect((1...3).contains(try self.lines("track", "film.mp4", "--frame-rate", "5").count))
  }

  @Test func hidesFacesInAFilm() throws {
    for output in ["hidden.mp4", "hidden"] {
      try tool.run("anonymise", "film.mp4", "-o", output, "--report", "\(output).jsonl").succeeded()
    }
    #expect(try lines("track", "hidden.mp4").allSatisfy(\.faces.isEmpty))
    let frame = try PNG.read(path: tool.path("hidden/000007.png"))
    #expect(frame.width == 512 && frame.height == 512)
    // Frames in, film out.
    try tool.run("anonymise", "frames", "--film", "-o", "frames.mkv").succeeded()
    #expect(try lines("track", "frames.mkv").allSatisfy(\.faces.isEmpty))
  }

  @Test func guidesInAFilm() throws {
    let run = try tool.run(
      "guide", "film.mp4", "--circle", "224,117,120", "--good-frames", "3", "--annotate", "g.mov")
    #expect(run.status == 0 && run.output.contains("frame 7: 0.28 s"), "\(run.errors)")
    #expect(try lines("track", "g.mov").count == 8)
  }

  @Test func refusesWhatIsNoFilm() throws {
    try Data("not a film".utf8).write(to: tool.directory.appending(path: "bad.mp4"))
    try tool.run("anonymise", "bad.mp4", "-o", "out.mp4").failed(saying: "bad.mp4: found")
    #expect(!FileManager.default.fileExists(atPath: tool.path("out.mp4")))
    #expect(try tool.run("track", "film.mp4", "film.mp4").status == 64)
    try tool.run("anonymise", "film.mp4", "-o", "film.mp4").failed()
    try tool.runShell("PATH=/nowhere \"$tool\" track film.mp4").failed(saying: "install ffmpeg")
  }

  /// Some versions of ffmpeg succeed though the end of the film could not be written.
  @Test func aFullDiskLeavesNoFilm() throws {
    try Data("older".utf8).write(to: tool.directory.appending(path: "out.mp4"))
    try tool.runShell(
      "trap '' XFSZ; ulimit -f 8; \"$tool\" anonymise film.mp4 -o out.mp4 --report report.jsonl"
    ).failed(saying: "out.mp4: found ffmpeg")
    #expect(try String(contentsOfFile: tool.path("out.mp4"), encoding: .utf8) == "older")
  }

  @Test func aDirectoryIsNoFilm() throws {
    try FileManager.default.moveItem(
      atPath: tool.path("frames"), toPath: tool.path("trip.mov"))
    let run = try tool.run("anonymise", "trip.mov", "-o", "out", "--resume", "--json")
    #expect(run.status == 0 && run.output.contains("\"image\":\"trip.mov/0.png\""), "\(run.errors)")
  }

  @Test func aFrameOfAnotherSizeIsLeftOut() throws {
    try tool.writeBlankPictures(["frames/3.png"])
    for arguments in [
      ["track", "frames", "--annotate", "out.mp4"],
      ["anonymise", "frames", "--film", "-o", "out.mp4"],
    ] {
      try tool.runAll(arguments).failed(saying: "frames/3.png: found 64 × 64")
      #expect(try lines("track", "out.mp4").count == 7)
    }
  }

  /// A file can make ffprobe describe one stream thousands of times, once for each of its programs.
  @Test func aLongDescriptionIsRefused() throws {
    try tool.runShell(
      """
      mkdir bin; printf '#!/bin/sh\\nexec yes avg_frame_rate=25/1\\n' > bin/ffprobe; chmod +x bin/ffprobe
      PATH=$PWD/bin:$PATH timeout 20 "$tool" track film.mp4
      """
    ).failed(saying: "film.mp4: found ffprobe")
  }

  /// Half a film without faces must not pass for the whole.
  @Test func aSignalLeavesNoFilm() throws {
    let run = try tool.runShell(
      """
      mkfifo in.raw
      "$tool" anonymise --raw 64x64 -o out.mp4 < in.raw &
      exec 3> in.raw
      # Of 40 frames, all that a pipe does not hold have been read.
      head -c 655360 /dev/zero >&3
      kill -TERM $!
      wait $!
      """)
    #expect(run.status == 128 + SIGTERM, "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: tool.path("out.mp4")))
  }
}
