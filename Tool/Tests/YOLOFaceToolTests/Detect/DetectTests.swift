// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster
import YOLOFaceReport

struct DetectTests {
  private let tool = Tool()

  @Test func printsTextByDefault() throws {
    let run = try Tool.astronautText.get().succeeded()
    #expect(run.errors == "")
    let lines = run.output.split(separator: "\n")
    #expect(lines.first == "\(Tool.astronaut): 512 × 512 pixels, 1 face" && lines.count == 2)
    #expect(try tool.run(Tool.astronaut).output == run.output)
  }

  @Test func printsAJSONObjectPerPicture() throws {
    let lines = try tool.run(line: "detect --json PHOTO PHOTO").output.split(separator: "\n")
    #expect(lines.count == 2 && lines.first == lines.last)
    let report = try String(#require(lines.first)).decoded(as: DetectionReport.self)
    #expect(report.image == Tool.astronaut && report.width == 512 && report.height == 512)
    let face = try #require(report.faces.first)
    #expect(report.faces.count == 1 && (0.5...1).contains(face.score) && face.landmarks != nil)
    #expect(abs(face.box.center.x - 225) < 10 && abs(face.box.center.y - 117) < 15)
  }

  @Test func printsTheAnglesOfTheHeadAsTheViewShowsIt() throws {
    let plain = try Tool.astronautJSON.get().decoded(as: DetectionReport.self)
    let stored = try #require(plain.faces.first?.pose)
    #expect([stored.roll, stored.yaw, stored.pitch].allSatisfy { abs($0) < 25 }, "into the camera")
    let seen = try tool.detected("PHOTO --mirror --view 300x200 --coordinates vision")
    let mirrored = try #require(seen.faces.first?.pose)
    #expect(mirrored.yaw == -stored.yaw && mirrored.roll == -stored.roll)
    #expect(mirrored.pitch == stored.pitch)
  }

  /// Only a box, with a line of 8 pixels, half of it on each side of the edge at 178.3.
  @Test func drawsAsTheOptionsSay() throws {
    try tool.expectRuns(
      "detect PHOTO --annotate faces.png --no-labels --no-landmarks --line-width 8")
    let photo = try Picture.read(path: Tool.astronaut)
    let drawn = try Picture.read(path: tool.path("faces.png"))
    let green = RGBColor(red: 64, green: 224, blue: 96)
    for x in 175..<182 { #expect(drawn[x, 120] == green) }
    for (x, y) in [(173, 120), (183, 120), (203, 100), (185, 47)] {
      #expect(drawn[x, y] == photo[x, y], "\(x), \(y)")
    }
  }

  /// Otherwise a name with the suffix of another format would become that of a directory or a PNG.
  @Test func refusesSuffixesThatItCannotWrite() throws {
    for name in ["old.JPEG", "x.jpg/file", "frames.png/file"] { try tool.write("", to: name) }
    tool.expectUsage(
      table: """
        detect a.png --annotate @/x.png / @/x.jpg / @/y.jpg/
        detect a.png --annotate @/y.jpg | give @/y.png, or @/y.jpg/ for a directory of this name.
        detect a.png --annotate @/old.JPEG | give @/old.png, or @/old.JPEG/ for a directory of this name.
        detect a.png --annotate @/x.mp4 | give @/x.png, or @/x.mp4/ for a directory of this name.
        detect @/a.png --format xmp --annotate @/x.xmp | --annotate @/x.xmp: pictures are written as PNG
        detect a.png --annotate @/x.xmp | give @/x.png, or @/x.xmp/ for a directory of this name.
        detect a.png --crop @/x.png / @/x.jp2 | several pictures are written, to a directory
        detect a.png --align @/x.webp | --align @/x.webp: several pictures are written, to a directory
        detect a.png --crop @/frames.png
        track a.png --annotate @/frames.png
        track a.png --annotate @/x.png / @/x.webp | several pictures are written, to a directory
        guide --circle 9,9,9 a.png --annotate @/x.flv | --annotate @/x.flv: films are written as *.mp4
        compare a.png a.png --overlay @/x.jpg | --overlay @/x.jpg: pictures are written as PNG; give @/x.png.
        profile --flame @/x.png | --flame @/x.png: charts are written as SVG; give @/x.svg.
        profile --roofline @/x.pdf | --roofline @/x.pdf: charts are written as SVG; give @/x.svg.
        inspect --memory-picture @/x.gif | --memory-picture @/x.gif: charts are written as SVG
        evaluate @/ --truth t --curve @/x.PNG | --curve @/x.PNG: charts are written as SVG; give @/x.svg.
        """)
  }

  @Test func namesTheFilesItWrote() throws {
    for (options, said) in [
      ("PHOTO --annotate a.png", "wrote a.png\n"),
      // `OutputsTests` refuses to replace the pictures that are read.
      ("PHOTO --annotate a.png", "wrote a.png\n"),
      ("PHOTO --annotate out", "wrote out/astronaut.png\n"),
      ("PHOTO --annotate x.jpg/", "wrote x.jpg/astronaut.png\n"),
      ("PHOTO --json --output o", "wrote o\n"), ("PHOTO --annotate b.png --quiet", ""),
      (
        "a.png b.png --crop cut --format yolo --output l",
        "wrote 2 files to cut\nyoloface: wrote 2 files to l\nyoloface: 2 pict"
      ),
      (
        "a.png --crop cut --format yolo --output l --resume",
        "1 picture: 0 searched, 0 faces, 1 done before"
      ),
    ] {
      let errors = try tool.run(line: "detect \(options)").succeeded().errors
      let expected = said.isEmpty ? "" : "yoloface: \(said)"
      let isWhole = said.isEmpty || said.hasSuffix("\n")
      #expect(isWhole ? errors == expected : errors.hasPrefix(expected), "\(options)")
    }
  }

  // Darwin does not limit the address space.
  #if os(Linux)
    /// All in one process limited to 512 MiB of address space. Each file gives a line of results or
    /// of errors. The time limit is generous; a file that hangs a decoder would take hours.
    @Test(.enabled(if: SharedData.exists, SharedData.explanation))
    func survivesHostilePictures() throws {
      let names = SharedData.names(in: "png/hostile")
      let start = ContinuousClock.now
      let run = try tool.runShell(
        """
        cd "$1" && ulimit -v "${TEST_ADDRESS_SPACE:-524288}" &&
        exec "$tool" detect --quiet --json --threads 2 ./*
        """, SharedData.path("png/hostile")
      ).failed()
      #expect(ContinuousClock.now - start < .seconds(60))
      let errors = run.errors.split(separator: "\n")
      #expect(errors.allSatisfy { $0.hasPrefix("yoloface: ./") })
      let results = run.output.split(separator: "\n")
      #expect(results.allSatisfy { $0.hasPrefix("{\"faces\":[") })
      #expect(errors.count + results.count == names.count && errors.count > names.count / 2)
    }
  #endif

  @Test func refusesWrongUsage() {
    tool.expectUsage(
      of: "detect",
      table: """
        a.png
        | Give a picture, a directory, or --files-from.
        '' | An empty argument
        a.png --annotate '' / --annotate= | An empty argument
        a.png --no-such-flag | Unknown option '--no-such-flag'
        a.png --no-labels / --no-landmarks / --line-width 2 | say how to draw
        a.png --annotate b.png --line-width 100
        a.png --annotate b.png --line-width 0 / 101 | give a number
        a.png --min-quality 1
        a.png --min-quality 1.1 | --min-quality 1.1: give a number from 0 to 1.
        a.png --quality --format csv | --quality is printed as text and JSON: give no other --format.
        a.png --tiles 64
        a.png --tiles 0 / 65 | give a number from 1 to 64.
        a.png --rotations 4
        a.png --rotations 2 | --rotations 2: give 1 or 4.
        """)
  }

  /// The default subcommand would take the word for a picture, and `help` would ignore it.
  @Test func suggestsASubcommand() throws {
    // The directory of the tests has no pictures of these names.
    tool.expectUsage(
      table: """
        @/p.png
        detect @/none
        evalute --help | did you mean evaluate?
        xyzzyx | xyzzyx: found neither a subcommand nor a picture of this name; yoloface --help
        help
        help track / help
        --help
        help nosuch | help nosuch: found no subcommand of this name; yoloface --help lists
        help track1 | did you mean track?
        """)
    try tool.copyPhoto(to: "detct")
    try tool.expectRuns("detct")
  }

  /// What nine of ten need fits two screens; the rest is one option away.
  @Test func helpBeginsWithWhatIsNeededDaily() throws {
    let short = try tool.run(line: "help detect").succeeded().output
    let all = try tool.run(line: "detect --help-hidden").succeeded().output
    #expect(short.split(separator: "\n").count <= 100)
    #expect(short.contains("USAGE: yoloface detect "))
    #expect(short.contains("--help-hidden") && !short.contains("--iou"))
    for option in ["--iou", "--param", "--files-from", "--view", "--tiles"] {
      #expect(all.contains("  \(option)"), "\(option)")
    }
  }

  @Test func namesItsVersions() throws {
    let version = try tool.run("--version").succeeded().output
    for part in [
      "libpng 1.", "yoloface-n-0.5", "\nThe model's weights are for research and tests: ",
      "\nThis build does not read JPEG or WebP; "
        + "swift build --package-path Tool --traits JPEG,WebP makes one that does.\n",
      "\nInstruction sets available: ",
    ] {
      #expect(version.contains(part))
    }
    #expect(version.hasSuffix("baseline\n"))
    let help = try tool.run("--help").output
    #expect(help.contains("\nThis build does not read JPEG or"))
    #expect(help.contains("Finds faces and their landmarks in PNG pictures."))
  }

  @Test func printsAndDemandsQuality() throws {
    #expect(try !Tool.astronautJSON.get().contains("\"quality\""))
    let quality = try #require(try tool.detected("PHOTO --quality").faces.first?.quality)
    let product =
      quality.size * quality.sharpness * quality.light * quality.pose * quality.completeness
    #expect(abs(quality.score - product) < 0.001)
    #expect(try tool.detected("PHOTO --min-quality 0.999").faces.isEmpty)
  }

  /// The biggest face is blurred, and does not count.
  @Test func facesThatAreLeftOutDoNotCount() throws {
    let head = try Picture.read(path: Tool.astronaut).cropped(x: 100, y: 0, width: 256, height: 256)
    let blurred = try head.resized(width: 32, height: 32, filter: .area)
      .resized(width: 400, height: 400, filter: .bilinear)
    var scene = RGBImage(width: 700, height: 400, fill: .white)
    scene.draw(blurred, atX: 0, y: 0)
    scene.draw(head, atX: 420, y: 60)
    try PNG.write(scene, to: tool.path("scene.png"))
    for (options, count) in [
      ("", 2), ("--min-quality 0.3", 1), ("--min-quality 0.3 --max-faces 1", 1),
    ] {
      let faces = try tool.detected("scene.png --select biggest \(options)").faces
      #expect(faces.count == count, "\(options)")
    }
  }
}
