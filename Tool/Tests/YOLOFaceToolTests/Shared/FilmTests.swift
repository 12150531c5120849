// SPDX-License-Identifier: Apache-2.0
import FilmSupport
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster

/// `track`, `guide` and `anonymise` on a film's file, which ffmpeg makes of frames.
@Suite(.enabled(if: Programs.path(ofAny: "ffmpeg") != nil, "needs ffmpeg"))
struct FilmTests {
  private struct Line: Decodable {
    struct Face: Decodable { var id: Int }
    var frame: Int
    var time: FrameTime
    var faces: [Face]
  }

  private let tool = Tool()

  /// 8 frames of the astronaut, at 25 frames per second.
  private static let film = Result {
    let tool = Tool()
    try Programs.ffmpeg([
      "-loop", "1", "-framerate", "25", "-i", Tool.astronaut, "-frames:v", "8", "-pix_fmt",
      "yuv420p", tool.path("film.mp4"),
    ])
    return try tool.data("film.mp4")
  }

  init() throws {
    for number in 0..<8 { try tool.copyPhoto(to: "frames/\(number).png") }
    try tool.write(Self.film.get(), to: "film.mp4")
  }

  /// What `track` finds in a film.
  private func tracked(_ line: String) throws -> [Line] {
    try tool.run(line: "track " + line).succeeded().output.decodedLines()
  }

  /// A program in front of ffmpeg, which does something else in place of a work.
  private func write(insteadOf work: String, _ script: String) throws {
    try tool.write(
      """
      #!/bin/sh
      case "$*" in *"\(work)"*) \(script);; esac
      PATH=${PATH#*:}; exec ffmpeg "$@"
      """, to: "bin/ffmpeg")
    #expect(chmod(tool.path("bin/ffmpeg"), 0o700) == 0)
  }

  /// What is left of a film is searched, but not taken for the whole.
  @Test func aFilmThatIsCutOffIsAFailure() throws {
    // Each frame by itself, so that those before the cut are whole.
    try Programs.ffmpeg(["-i", tool.path("film.mp4"), "-g", "1", tool.path("cut.mkv")])
    let bytes = try tool.data("cut.mkv")
    try tool.write(bytes.prefix(bytes.count / 2), to: "cut.mkv")
    for line in ["track cut.mkv", "anonymise cut.mkv -o hidden.mp4"] {
      let run = try tool.run(line: line).failed(saying: "cut.mkv: ffmpeg went on")
      #expect(!run.output.isEmpty)
    }
    #expect(try (1..<8).contains(tracked("hidden.mp4").count))
  }

  /// Frames that an earlier film left would mix with the new ones.
  @Test func aFilmsFramesAreWrittenBesideNoOthers() throws {
    try tool.writeBlankPictures([
      "out/000007.png", "other/cover.png", "other/7.png", "other/-00001.png",
    ])
    try tool.expectRuns(
      """
      anonymise film.mp4 -o out | 1 out/000007.png: found an existing file
      anonymise film.mp4 -o other
      """)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: tool.path("out")) == ["000007.png"])
  }

  @Test func followsFacesAtTheFilmsRate() throws {
    let lines = try tracked("film.mp4")
    #expect(lines.map(\.frame) == Array(0..<8))
    #expect(lines.allSatisfy { $0.faces.map(\.id) == [1] })
    // Frame 7 is 7 / 25 s after frame 0.
    let time = try #require(lines.last).time
    #expect(time.value * 25 == 7 * time.timescale)
    _ = try tracked("frames --frame-rate 25 --annotate drawn.mp4")
    #expect(try tracked("drawn.mp4").count == 8)
    // Frames at 5 per second, of 0.32 s.
    #expect((1...3).contains(try tracked("film.mp4 --frame-rate 5").count))
  }

  /// From a film to a film or frames, and from frames to a film.
  @Test func hidesFacesInAFilm() throws {
    try tool.expectRuns(
      """
      anonymise film.mp4 -o hidden.mp4 --report film.jsonl
      anonymise film.mp4 -o hidden --report frames.jsonl
      anonymise frames --film -o frames.mkv
      """)
    for film in ["hidden.mp4", "frames.mkv"] {
      #expect(try tracked(film).allSatisfy(\.faces.isEmpty), "\(film)")
    }
    let frame = try Picture.read(path: tool.path("hidden/000007.png"))
    #expect(frame.width == 512 && frame.height == 512)
  }

  /// A film in one line, and what the copy lacks.
  @Test func saysWhatACopyLacks() throws {
    try tool.write("1\n00:00:00,000 --> 00:00:01,000\nHello\n", to: "words.srt")
    try Programs.ffmpeg([
      "-i", tool.path("film.mp4"), "-f", "lavfi", "-i", "sine=duration=0.3", "-i",
      tool.path("words.srt"), "-map", "0", "-map", "0", "-map", "1", "-map", "2", "-c:v", "copy",
      tool.path("loud.mkv"),
    ])
    let run = try tool.run(line: "anonymise loud.mkv -o hidden.mp4").succeeded()
    #expect(run.output == "loud.mkv: 8 places hidden in 8 of 8 frames\n")
    #expect(run.errors.contains("loud.mkv: the sound is left out; --sound keeps it"))
    #expect(run.errors.contains("loud.mkv: 2 other tracks, such as subtitles, left out"))
    let tracked = try tool.run("track", "loud.mkv").succeeded()
    #expect(
      tracked.errors == "yoloface: loud.mkv: of 2 tracks of pictures, only track 0 was read\n")
  }

  /// The face stays where it is, and all around it changes.
  @Test func aCutEndsATrack() throws {
    let astronaut = try Picture.read(path: Tool.astronaut)
    var other = try RGBImage(
      width: astronaut.width, height: astronaut.height, pixels: astronaut.pixels.map { 255 - $0 })
    other.draw(try astronaut.cropped(x: 140, y: 20, width: 170, height: 190), atX: 140, y: 20)
    for number in 4..<8 { try tool.write(Data(PNG.encode(other)), to: "frames/\(number).png") }
    let lines = try tracked("frames")
    #expect(lines.map { $0.faces.map(\.id) } == (0..<8).map { $0 < 4 ? [1] : [2] })
  }

  /// An ffmpeg that is silent, or takes no pictures, and its child end with one signal to the tool, and leave no
  /// file behind.
  @Test(arguments: ["f=image2pipe", "-f ivf"]) func oneSignalEndsASilentProgram(work: String) throws
  {
    try write(insteadOf: work, "sleep 300 & echo $! > started; wait; exit")
    let run = try tool.runShell(
      """
      mkdir out
      PATH=$PWD/bin:$PATH "$tool" anonymise film.mp4 -o out/hidden.mp4 &
      for turn in $(seq 3000); do test -s started && break; sleep 0.02; done
      kill -TERM $!
      wait $!
      status=$?
      ls -A out
      for turn in $(seq 3000); do kill -0 $(cat started) 2> kill || break; sleep 0.02; done
      test -s kill || echo left
      exit $status
      """)
    #expect(run.status == 128 + SIGTERM && run.output.isEmpty, "\(run)")
  }

  /// A person says which face stays, and draws a box of their own.
  @Test func aPersonCorrectsWhatIsHidden() throws {
    let first = try tool.run(line: "anonymise film.mp4 -o hidden.mp4 --json").succeeded()
    #expect(first.output.split(separator: "\n").allSatisfy { $0.contains("\"id\":1,") })
    let corrected = first.output.replacing(
      "\"hidden\":[", with: "\"hidden\":[{\"x\":400,\"y\":400,\"width\":60,\"height\":60},")
    try tool.write(corrected, to: "boxes.jsonl")
    let run = try tool.run(
      line: "anonymise film.mp4 -o out --boxes boxes.jsonl --keep-id 1 --keep-id 9 --style solid "
        + "--report kept.jsonl"
    ).succeeded()
    #expect(run.errors.contains("no face has the ID 9") && !run.errors.contains("the ID 1"))
    let frame = try Picture.read(path: tool.path("out/000007.png"))
    #expect(frame[430, 430] == .black && frame[224, 117] != .black)
    // What a list keeps is hidden where that is asked for, and a line too many is refused, but no frame that fails.
    let list = try tool.text("kept.jsonl")
    try tool.write(list + #"{"frame":8,"hidden":[],"kept":[]}"# + "\n", to: "longer.jsonl")
    try tool.write("no picture", to: "out/000003.png")
    // By an editor of Windows, with empty lines.
    let spaced = corrected.replacingOccurrences(of: "\n", with: "\r\n \r\n\r\n")
    try tool.write(spaced, to: "spaced.jsonl")
    try tool.write(
      corrected.split(separator: "\n").dropLast().joined(separator: "\n"), to: "short.jsonl")
    try tool.expectRuns(
      """
      anonymise out --film -o all --boxes longer.jsonl --hide-id 1 --style solid | 1 longer.jsonl: found 1 frame more
      anonymise film.mp4 -o spaced.mp4 --boxes spaced.jsonl
      anonymise film.mp4 -o short.mp4 --boxes short.jsonl | 1 short.jsonl: found no frame 7
      """)
    #expect(try Picture.read(path: tool.path("all/000007.png"))[224, 117] == .black)
    #expect(!tool.exists("short.mp4"))
  }

  /// One that is no film stops none of the others.
  @Test func severalFilmsAreHidden() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: tool.path("more"), withIntermediateDirectories: false)
    try Programs.ffmpeg(["-i", tool.path("film.mp4"), "-frames:v", "2", tool.path("more/film.flv")])
    try tool.write("not a film", to: "bad.mp4")
    try tool.expectRuns("anonymise bad.mp4 film.mp4 more/*.flv -o out | 1 bad.mp4: found")
    let names = try files.subpathsOfDirectory(atPath: tool.path("out"))
    #expect(names.sorted() == [".yoloface.run", "film.mp4", "more", "more/film.mp4"])
    try tool.write("seen", to: "out/more/notes.txt")
    try tool.copyPhoto(to: "out/more/.hidden.png")
    try tool.expectRuns(
      """
      anonymise out/more -o again | 1 1 file left out: 1 PNG by another name (out/more/.hidden.png)
      anonymise out/more -o again | 1 found an existing file
      """)
    #expect(try tracked("again/film.mp4").count == 2)
    try files.removeItem(atPath: tool.path("out/film.mp4"))
    func kept() throws -> Date? {
      let file = try files.attributesOfItem(atPath: tool.path("out/more/film.mp4"))
      return try #require(file[.modificationDate] as? Date)
    }
    let before = try kept()
    try tool.expectRuns(
      """
      anonymise film.mp4 more/*.flv -o out --resume
      anonymise none-1.mp4 none-2.mp4 -o / | 1 none-2.mp4: found
      """)
    #expect(try tracked("out/film.mp4").count == 8)
    #expect(try kept() == before)
  }

  @Test func anEmptyFilmIsAnError() throws {
    try write(insteadOf: "-f ivf", "exec cat > /dev/null")
    try tool.runShell("PATH=$PWD/bin:$PATH \"$tool\" anonymise film.mp4 -o hidden.mp4").failed(
      saying: "hidden.mp4: found an empty film")
    #expect(!tool.exists("hidden.mp4"))
  }

  @Test func guidesInAFilm() throws {
    let run = try tool.run(
      line: "guide film.mp4 --circle 224,117,120 --good-frames 3 --annotate g.mov"
    ).succeeded()
    #expect(run.output.contains("frame 7: 0.28 s"))
    #expect(try tracked("g.mov").count == 8)
  }

  @Test func refusesWhatIsNoFilm() throws {
    try tool.write("not a film", to: "bad.mp4")
    try tool.expectRuns(
      """
      anonymise bad.mp4 -o out.mp4 | 1 bad.mp4: found
      track film.mp4 film.mp4 | 64
      anonymise film.mp4 -o film.mp4 | 1
      """)
    #expect(!tool.exists("out.mp4"))
    try tool.runShell("PATH=/nowhere \"$tool\" track film.mp4").failed(saying: "install ffmpeg")
  }

  /// Some versions of ffmpeg succeed though the end of the film could not be written.
  @Test func aFullDiskLeavesNoFilm() throws {
    try tool.write("older", to: "out.mp4")
    try tool.runShell(
      "trap '' XFSZ; ulimit -f 8; \"$tool\" anonymise film.mp4 -o out.mp4 --report report.jsonl"
    ).failed(saying: "out.mp4: found ffmpeg")
    #expect(try tool.text("out.mp4") == "older")
  }

  @Test func aDirectoryIsNoFilm() throws {
    try FileManager.default.moveItem(atPath: tool.path("frames"), toPath: tool.path("trip.mov"))
    let run = try tool.run(line: "anonymise trip.mov -o out --resume --json").succeeded()
    #expect(run.output.contains("\"image\":\"trip.mov/0.png\""))
  }

  @Test(arguments: ["track frames --annotate out.mp4", "anonymise frames --film -o out.mp4"])
  func aFrameOfAnotherSizeIsLeftOut(line: String) throws {
    try tool.writeBlankPictures(["frames/3.png"])
    try tool.expectRuns("\(line) | 1 frames/3.png: found 64 × 64")
    #expect(try tracked("out.mp4").count == 7)
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
    #expect(!tool.exists("out.mp4"))
  }
}
