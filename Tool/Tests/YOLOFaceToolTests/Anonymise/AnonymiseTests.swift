// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster

/// `yoloface anonymise`, in a process of its own.
struct AnonymiseTests {
  private struct Report: Decodable {
    struct Face: Decodable { var hidden: Bool }
    var output: String
    var faces: [Face]
  }

  private struct Frame: Decodable {
    var frame: Int
    var hidden, kept: [Box]
  }

  private let tool = Tool()
  private let astronaut: RGBImage

  init() throws { astronaut = try Picture.read(path: Tool.astronaut) }

  /// What is said of a picture that is hidden.
  private func report(_ line: String) throws -> Report {
    try tool.run(line: "anonymise --json \(line)").succeeded().output.decoded()
  }

  @Test func hidesTheFaceAlone() throws {
    let report = try report("PHOTO -o hidden.png --style solid --conf 0.5")
    #expect(report.output == "hidden.png" && report.faces.map(\.hidden) == [true])
    let hidden = try Picture.read(path: tool.path("hidden.png"))
    let changed = (0..<512 * 512).map { ($0 % 512, $0 / 512) }
      .filter { hidden[$0.0, $0.1] != astronaut[$0.0, $0.1] }
    let (x, y) = (changed.map(\.0), changed.map(\.1))
    // The box is 95 × 124 at 177, 54; 1.3 times as large, and 2 pixels more on each side, it begins at 161, 33.
    for (edge, expected) in [(x.min(), 161), (x.max(), 288), (y.min(), 33), (y.max(), 197)] {
      #expect(abs(try #require(edge) - expected) <= 3)
    }
  }

  /// A photo that lies on its side, as exiv2's text says, with linear samples: the copy is upright, and says only
  /// what its colours are.
  @Test func copiesAreUprightAndOfTheSameColors() throws {
    let side = try PNG.encode(astronaut.upright(from: .left))
    let tiff = "49492a00080000000100120103000100000006000000" + "00000000"
    let text = "Raw profile type exif\0\nexif\n      32\n457869660000" + tiff + "\n"
    let chunks = pngChunk("gAMA", [0, 1, 0x86, 0xA0]) + pngChunk("tEXt", Array(text.utf8))
    try tool.write(Data(side[..<33] + chunks + side[33...]), to: "side.png")
    #expect(try report("side.png -o out --style solid").faces.map(\.hidden) == [true])
    try tool.expectRuns(
      """
      anonymise PHOTO -o upright.png --style solid
      anonymise side.png -o frames --film --style solid
      detect side.png --crop crops --annotate drawn.png
      """)
    let expected = try [UInt8](tool.data("upright.png"))
    let color = pngChunk("gAMA", [0, 1, 0x86, 0xA0])
    #expect(try [UInt8](tool.data("out/side.png")) == expected[..<33] + color + expected[33...])
    for name in ["frames/side.png", "crops/side.1.png", "drawn.png"] {
      #expect(try [UInt8](tool.data(name))[33..<49] == color[...], "\(name)")
    }
  }

  @Test(arguments: ["blur", "pixelate", "solid"])
  func theDetectorFindsNoHiddenFace(style: String) throws {
    try tool.expectRuns("anonymise PHOTO -o hidden.png --style \(style) --shape box")
    #expect(try tool.detected("hidden.png --conf 0.6").faces.isEmpty)
  }

  @Test(arguments: ["--keep-largest", "--keep-area 150,20,160,200", "--min-size 200"])
  func keepsWhatIsToBeKept(options: String) throws {
    let report = try report("PHOTO -o a.png --conf 0.5 \(options)")
    #expect(report.faces.map(\.hidden) == [false])
    #expect(try Picture.read(path: tool.path("a.png")) == astronaut)
  }

  /// Faces of some 5 to 20 pixels, of which some score too little for large ones.
  @Test func smallFacesCountFromLowerScores() throws {
    try writeHeads { head, number in
      let side = 8 + number / 2
      return try head.resized(width: side, height: side, filter: .area)
    }
    let usual = try hiddenHeads()
    #expect(try usual > hiddenHeads("--conf 0.4"), "of any size")
    #expect(try usual > hiddenHeads("--long-side 320"))
    #expect(try usual >= hiddenHeads("--conf 0.2"), "in company")
  }

  /// Several looks at faint faces hide no fewer than one: the mean of the scores is lower than the best.
  @Test func closerSearchesHideMore() throws {
    try writeHeads { head, number in
      let side = 8 + number / 8
      return try head.resized(width: side, height: side, filter: .area)
        .resized(width: 2 * side, height: 2 * side, filter: .bilinear)
    }
    #expect(try hiddenHeads() <= hiddenHeads("--tiles 2"))
  }

  /// Writes a picture of 48 heads, each as a function makes it of a large one and its number.
  private func writeHeads(_ made: (RGBImage, Int) throws -> RGBImage) throws {
    var scene = RGBImage(width: 800, height: 600, fill: RGBColor(red: 90, green: 120, blue: 110))
    let head = try astronaut.cropped(x: 150, y: 30, width: 160, height: 160)
    for number in 0..<48 {
      scene.draw(try made(head, number), atX: 20 + 96 * (number % 8), y: 20 + 90 * (number / 8))
    }
    try PNG.write(scene, to: tool.path("heads.png"))
  }

  /// How many of these heads are hidden.
  private func hiddenHeads(_ options: String = "") throws -> Int {
    try report("heads.png -o \(UUID()).png \(options)").faces.count
  }

  @Test func resumesAndReplacesNothing() throws {
    // Another picture's output is not that of a.PNG, which comes first in a directory.
    try tool.copyPhoto(to: "a.png", "b.png", "a.PNG")
    try tool.expectRuns(
      """
      anonymize a.png -o out
      anonymise a.png b.png -o out | 1 existing file
      """)
    let resumed = try tool.run(line: "anonymise a.PNG a.png b.png -o out --resume").succeeded()
    #expect(resumed.errors.contains("3 pictures: 1 searched"))
    #expect(resumed.errors.contains("2 done before") && tool.exists("out/a.PNG.png"))
    try tool.expectRuns("anonymise a.png b.png -o new --resume --report report.jsonl")
    let reports = try tool.text("report.jsonl").decodedLines(as: Report.self)
    #expect(reports.map(\.output) == ["new/a.png", "new/b.png"])
  }

  /// What is no picture was written by no earlier run; the report may be of another directory, or the picture gone.
  @Test func resumingTakesOnlyFilesForOutputs() throws {
    try tool.writeBlankPictures(["a.png"])
    func remove() throws { try FileManager.default.removeItem(atPath: tool.path("out/a.png")) }
    try tool.write("a directory", to: "out/a.png/file")
    try tool.expectRuns("anonymise a.png -o out --resume | 1")
    try remove()
    try tool.write("", to: "out/a.png")
    try tool.expectRuns("anonymise a.png -o out --resume | 1")
    try remove()
    let resuming = "anonymise a.png -o out --resume --report report.jsonl"
    try tool.expectRuns(resuming)
    try tool.write("", to: "out/a.png")
    let found =
      "out/a.png: found no picture, expected the one that the earlier report names for a.png"
    try tool.expectRuns("\(resuming) | 1 \(found); remove")
    try remove()
    try tool.expectRuns("\(resuming) | 1 \(found); hide this")
  }

  /// A picture in the output's place is no hidden one.
  @Test(arguments: ["", "--report report.jsonl"])
  func resumingTakesNoPictureForItsOutput(options: String) throws {
    try tool.copyPhoto(to: "a.png", "b.png")
    let run = try tool.run(line: "anonymise a.png b.png -o . --resume \(options)").failed(
      saying: "a.png: found an existing file")
    #expect(!run.errors.contains("done before"))
    #expect(FileManager.default.contentsEqual(atPath: Tool.astronaut, andPath: tool.path("a.png")))
  }

  /// In the place of a film's copy: an empty file, a directory, links to the film and to another, a link that leads
  /// nowhere, the film itself, through a directory, and the copy of another. The only film that has a copy is passed
  /// over, and the only one that has none is read.
  @Test func resumingTakesOnlyCopiesForFilms() throws {
    let inPlace = ["directory", "empty", "hard", "link", "nowhere", "other", "sub/film", "twin"]
    for name in inPlace + ["done", "new"] { try tool.write("\0\(name)", to: "in/\(name).mp4") }
    let run = try tool.runShell(
      """
      mkdir -p out/directory.mp4
      cd out
      : > empty.mp4
      ln ../in/hard.mp4 hard.mp4
      ln -s ../in/link.mp4 link.mp4
      ln -s missing.mp4 nowhere.mp4
      ln -s ../in/link.mp4 other.mp4
      ln -s ../in/sub sub
      echo hidden > done.mp4
      ln done.mp4 twin.mp4
      cd ..
      "$tool" anonymise in -o out --resume
      """
    ).failed(saying: "out/directory.mp4: found a directory")
    let lines = run.errors.split(separator: "\n")
    #expect(lines.count == inPlace.count + 2, "\(run)")
    #expect(run.errors.contains("in/new.mp4: found"), "\(run)")
    for name in inPlace {
      #expect(run.errors.contains("out/\(name).mp4: found"), "\(run)")
      #expect(try tool.text("in/\(name).mp4") == "\0\(name)")
    }
    #expect(!tool.exists("out/missing.mp4"))
  }

  /// A report may not call faces hidden in a file that this run has not written.
  @Test func resumingReportsNoOtherFile() throws {
    try tool.copyPhoto(to: "a.png")
    try tool.expectRuns(
      """
      anonymise a.png -o out --resume --report first.jsonl --style solid
      anonymise a.png -o out --resume --report same.jsonl --style solid
      """)
    try tool.writeBlankPictures(["out/a.png"])
    try tool.expectRuns(
      "anonymise a.png -o out --resume --report other.jsonl --style solid | 1 out/a.png: found an existing file"
    )
    #expect(try tool.text("other.jsonl").isEmpty)
  }

  @Test func resumesNoRunWithOtherOptions() throws {
    try tool.copyPhoto(to: "a.png")
    try tool.expectRuns(
      """
      anonymise a.png -o out --style solid --report report.jsonl
      anonymise a.png -o out --resume | 1 out: found results of a run with another --style, expected the same
      anonymise a.png -o out --restart --report report.jsonl
      anonymise . -o . --restart | 1 a.png
      """)
    #expect(try tool.data("a.png") == Data(contentsOf: URL(filePath: Tool.astronaut)))
    let blurred = try tool.data("out/a.png")
    try tool.expectRuns("anonymise a.png -o out --resume\nanonymise a.png -o new.png")
    #expect(try tool.data("new.png") == blurred && tool.data("out/a.png") == blurred)
  }

  @Test func refusesWhatCannotBeMeant() throws {
    try tool.write("", to: "00001.rec")
    tool.expectUsage(
      of: "anonymise",
      table: """
        photo.png | Give the path of a PNG file or of a directory with --output.
        -o out | Give a picture, a directory, or --raw.
        photo.png -o @/out.jpg | --output @/out.jpg: pictures are written as PNG; give @/out.png, or
        photo.png -o out --refine | --refine and --effort checked or refined are for landmarks
        photo.png -o out --grow 1
        photo.png -o out --grow 0.9 | --grow 0.9: give a number from 1 to 4.
        photo.png -o out --bridge 3 / --sound | --bridge, --frame-rate, --quality, --sound, --keep-metadata,
        photo.png -o out --film --keep-largest | --keep-largest: where a film's largest face is missed
        photo.png -o out --film --resume | --resume: a film's faces are followed
        photo.png -o out --film --bridge 300
        photo.png -o out --film --bridge 301 | --bridge 301: give a number from 0 to 300.
        --raw 8x8 --json | give --report in place of --json.
        --raw 8x8 -o out | --raw takes its frames from standard input
        --raw 8x8 --keep-largest | --keep-largest: where a film's largest face is missed
        --raw 8x8 --jobs 2 | --jobs and --fail-fast are for pictures
        photo.png -o @/out.m4v | --output @/out.m4v: pictures are written as PNG
        @/film.mpg -o @/hidden.mpg | --output @/hidden.mpg: films are written as *.mp4
        @/film.mpg | Give the path of a film, such as hidden.mp4, or of a directory with --output.
        @/film.mpg -o hidden.mp4 --min-size 4 / --quality 51 --keep-id 1 --keep-id 2 --boxes boxes.jsonl
        @/film.mpg -o hidden --boxes b --min-size 4 / --keep-area 1,1,2,2 / --conf 0.9 / --iou 0.1 | --boxes says which
        --raw 8x8 --boxes boxes.jsonl --bridge 3 | --boxes says which places are hidden
        @/film.mpg -o hidden.mp4 --keep-id 1 --hide-id 2 | Give either --keep-id or --hide-id.
        @/film.mpg -o hidden.mp4 --quality 52 | --quality 52: give a number from 0 to 51.
        @/film.mpg @/b.mov -o hidden --quality 23 --sound
        @/film.mpg @/b.mov -o @/c.mp4 | --output @/c.mp4: several films are written
        @/film.mpg @/b.mov -o hidden --json | are for one film: give it alone.
        @/a/film.mpg @/b/film.mpg -o hidden
        @/film.mpg @/film.mpg -o hidden | Found two films of one name
        @/film.mpg @/Film.MPG -o hidden | Found two films of one name
        @/film.mpg -o hidden --quality 23 | --quality is for a film that is written
        @/film.mpg -o @/hidden.ts | --output @/hidden.ts: films are written as *.mp4
        @/00001.rec -o hidden.mp4 | @/00001.rec: found no film's suffix; rename it
        - -o out
        - - -o out | Standard input can be read only once
        """)
    // These are known once the pictures are looked for.
    try tool.writeBlankPictures(["a/0.png", "b/0.png"])
    try tool.expectRuns(
      """
      anonymise -o out --film - | 64 standard input
      anonymise -o out --film *.none | 64 no such file
      anonymise -o out --film a b | 64 0.png
      """)
    #expect(!tool.exists("out"))
  }

  /// Frames 3 to 6 are grey: the face is missed, and hidden where it is seen before and after.
  private func film() -> [RGBImage] {
    let blank = RGBImage(width: 512, height: 512, fill: RGBColor(red: 99, green: 99, blue: 99))
    return (0..<10).map { (3...6).contains($0) ? blank : astronaut }
  }

  @Test func rawFramesLeaveAsTheyCame() throws {
    let frames = film().map { $0.rawBGRA(padding: [1, 2, 3]) }
    try tool.write(Data(frames.flatMap { $0 }), to: "in.raw")
    try tool.runShell(
      "\"$tool\" anonymise --raw 512x512 --row-stride 2051 --conf 0.5 --style solid "
        + "--report report.jsonl < in.raw > out.raw"
    ).succeeded()
    let written = [UInt8](try tool.data("out.raw"))
    try #require(written.count == 10 * frames[0].count)
    let report = try tool.text("report.jsonl").decodedLines(as: Frame.self)
    #expect(report.map(\.frame) == Array(0..<10))
    #expect(report.allSatisfy { $0.hidden.count == 1 })
    for (number, frame) in frames.enumerated() {
      let out = Array(written[number * frame.count..<(number + 1) * frame.count])
      let changed = zip(0..., zip(out, frame)).filter { $0.1.0 != $0.1.1 }.map(\.0)
      #expect(!changed.isEmpty)
      #expect(changed.allSatisfy { $0 % 2051 < 2048 && $0 % 2051 % 4 != 3 }, "no alpha, no padding")
      #expect(out[2051 * 117 + 4 * 224] == 0, "the middle of the face")
    }
  }

  @Test func framesOfAFilmAreBridged() throws {
    for (number, frame) in film().enumerated() {
      try tool.write(Data(PNG.encode(frame)), to: "frames/frame\(number).png")
    }
    func frames(_ line: String) throws -> [Frame] {
      try tool.run(line: "anonymise --film --conf 0.5 --json \(line)").output.decodedLines()
    }
    _ = try frames("frames -o out --bridge 2 --style solid")
    for number in 0..<10 {
      let frame = try Picture.read(path: tool.path("out/frame\(number).png"))
      #expect(frame[224, 117] == .black)
    }
    let none = try frames("frames/*.png -o bare --bridge 0")
    #expect(none.map(\.hidden.count) == [1, 1, 1, 0, 0, 0, 0, 1, 1, 1])
    let kept = try frames("frames/frame0.png -o kept --min-size 200")
    #expect(kept.map(\.hidden.count) == [0] && kept.map(\.kept.count) == [1])
  }

  @Test func rawFramesMayLieOnTheirSide() throws {
    let lying = astronaut.upright(from: .left)
    try tool.write(Data(lying.pixels), to: "in.raw")
    try tool.runShell(
      "\"$tool\" anonymise --raw 512x512 --pixel-format rgb24 --orientation right --conf 0.6 "
        + "--style solid < in.raw > out.raw"
    ).succeeded()
    let bytes = [UInt8](try tool.data("out.raw"))
    let out = try RGBImage(copying: bytes, width: 512, height: 512, format: .rgb, bytesPerRow: 1536)
    #expect(out.upright(from: .right)[224, 117] == .black)
  }

  @Test func aSignalEndsTheWaitForAFrame() throws {
    let run = try tool.runShell(
      """
      mkfifo in.raw
      "$tool" anonymise --raw 64x64 --bridge 0 < in.raw > out.raw &
      exec 3> in.raw
      head -c 20000 /dev/zero >&3
      for turn in $(seq 3000); do test -s out.raw && break; sleep 0.02; done
      kill -TERM $!
      wait $!
      """)
    #expect(run.status == 128 + SIGTERM, "\(run.errors)")
    // The frame that came is there, and no part of the next.
    #expect(try tool.data("out.raw").count == 64 * 64 * 4)
  }
}
