import FaceReport
import Foundation
import Raster
import TestSupport
import Testing

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
    let run = try tool.run("detect", "--json", Tool.astronaut, Tool.astronaut)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.first == lines.last)
    let report = try String(#require(lines.first)).decoded(as: DetectionReport.self)
    #expect(report.image == Tool.astronaut && report.width == 512 && report.height == 512)
    let face = try #require(report.faces.first)
    #expect(report.faces.count == 1 && (0.5...1).contains(face.score) && face.landmarks != nil)
    #expect(abs(face.box.x + face.box.width / 2 - 225) < 10)
    #expect(abs(face.box.y + face.box.height / 2 - 117) < 15)
  }

  @Test func printsTheAnglesOfTheHeadAsTheViewShowsIt() throws {
    let plain = try Tool.astronautJSON.get().decoded(as: DetectionReport.self)
    let stored = try #require(plain.faces.first?.pose)
    #expect([stored.roll, stored.yaw, stored.pitch].allSatisfy { abs($0) < 25 }, "into the camera")
    let seen = try tool.detected(
      Tool.astronaut, "--mirror", "--view", "300x200", "--coordinates", "vision")
    let mirrored = try #require(seen.faces.first?.pose)
    #expect(mirrored.yaw == -stored.yaw && mirrored.roll == -stored.roll)
    #expect(mirrored.pitch == stored.pitch)
  }

  /// Only a box, with a line of 8 pixels, half of it on each side of the edge at 178.3.
  @Test func drawsAsTheOptionsSay() throws {
    try tool.run(
      "detect", Tool.astronaut, "--annotate", "faces.png", "--no-labels", "--no-landmarks",
      "--line-width", "8"
    ).succeeded()
    let photo = try Picture.read(path: Tool.astronaut)
    let drawn = try Picture.read(path: tool.path("faces.png"))
    let green = Color(red: 64, green: 224, blue: 96)
    for x in 175..<182 { #expect(drawn[x, 120] == green) }
    for (x, y) in [(173, 120), (183, 120), (203, 100), (185, 47)] {
      #expect(drawn[x, y] == photo[x, y], "\(x), \(y)")
    }
  }

  /// Otherwise a name with the suffix of another format would become that of a directory or a PNG.
  @Test func refusesSuffixesThatItCannotWrite() throws {
    try tool.write("mine", to: "old.JPEG")
    for name in ["x.jpg", "frames.png"] {
      try FileManager.default.createDirectory(
        atPath: tool.path(name), withIntermediateDirectories: false)
    }
    let mistakes = tool.falseUsage(
      table: """
        detect a.png --annotate @/x.png
        detect a.png --iou -1 | --iou
        detect a.png --annotate @/x.jpg
        detect a.png --annotate @/y.jpg/
        detect a.png --annotate @/y.jpg | give @/y.png, or @/y.jpg/ for a directory of this name.
        detect a.png --annotate @/old.JPEG | give @/old.png, or @/old.JPEG/ for a directory of this name.
        detect a.png --annotate @/x.mp4 | give @/x.png, or @/x.mp4/ for a directory of this name.
        detect @/a.png --format xmp --annotate @/x.xmp | --annotate @/x.xmp: pictures are written as PNG
        detect a.png --annotate @/x.xmp | give @/x.png, or @/x.xmp/ for a directory of this name.
        detect a.png --crop @/x.png | --crop @/x.png: several pictures are written, to a directory
        detect a.png --crop @/x.jp2 | --crop @/x.jp2: several pictures are written, to a directory
        detect a.png --align @/x.webp | --align @/x.webp: several pictures are written, to a directory
        detect a.png --crop @/frames.png
        track a.png --annotate @/frames.png
        track a.png --annotate @/x.mp4
        track a.png --annotate @/x.png | --annotate @/x.png: several pictures are written, to a directory
        track a.png --annotate @/x.webp | --annotate @/x.webp: several pictures are written, to a directory
        guide --circle 9,9,9 a.png --annotate @/x.gif | --annotate @/x.gif: films are written as *.mp4
        compare a.png a.png --overlay @/x.png
        compare a.png a.png --overlay @/x.jpg | --overlay @/x.jpg: pictures are written as PNG; give @/x.png.
        profile --flame @/x.png
        profile --flame @/x.svg | --flame @/x.svg: pictures are written as PNG; give @/x.png.
        inspect --memory-picture @/x.png
        inspect --memory-picture @/x.gif | --memory-picture @/x.gif: pictures are written as PNG
        evaluate @/ --truth t --curve @/x.png
        evaluate @/ --truth t --curve @/x.pdf | --curve @/x.pdf: pictures are written as PNG
        """)
    #expect(mistakes == [])
    // Launched, nothing is written either.
    let run = try tool.run("detect", Tool.astronaut, "--annotate", "old.JPEG")
    #expect(run.status == 64 && run.output == "")
    #expect(run.errors.contains("give old.png, or old.JPEG/ for a directory"), "\(run.errors)")
    #expect(try tool.text("old.JPEG") == "mine")
    let names = try FileManager.default.contentsOfDirectory(atPath: tool.directory.path)
    #expect(Set(names) == ["old.JPEG", "x.jpg", "frames.png", "stdout", "stderr"])
  }

  @Test func namesTheFilesItWrote() throws {
    func errors(_ arguments: String...) throws -> String {
      let run = try tool.runAll(["detect"] + arguments).succeeded()
      return run.errors
    }
    let one = Tool.astronaut
    #expect(try errors(one, "--annotate", "a.png") == "yoloface: wrote a.png\n")
    #expect(try errors(one, "--annotate", "out") == "yoloface: wrote out/astronaut.png\n")
    #expect(try errors(one, "--annotate", "x.jpg/") == "yoloface: wrote x.jpg/astronaut.png\n")
    #expect(try errors(one, "--json", "--output", "o") == "yoloface: wrote o\n")
    #expect(try errors(one, "--annotate", "b.png", "--quiet") == "")
    let many = try errors("a.png", "b.png", "--crop", "cut", "--format", "yolo", "--output", "l")
    #expect(
      many.hasPrefix(
        "yoloface: wrote 2 files to cut\nyoloface: wrote 2 files to l\nyoloface: 2 pict"))
    let again = try errors(
      "a.png", "--crop", "cut", "--format", "yolo", "--output", "l", "--resume")
    #expect(again.hasPrefix("yoloface: 1 picture: 0 searched, 0 faces, 1 done before"))
  }

  /// `OutputsTests` refuses to replace the pictures that are read.
  @Test func replacesAnEarlierDrawing() throws {
    try tool.runShell("\"$tool\" detect - --annotate a.png < \"$1\"", Tool.astronaut).succeeded()
    try tool.run("detect", Tool.astronaut, "--annotate", "a.png").succeeded()
  }

  /// With both outputs in one file, each message is at its picture's position.
  @Test(arguments: ["1", "2", "5"])
  func keepsTheOrder(threads: String) throws {
    try tool.write("no picture", to: "bad.png")
    let run = try tool.runShell(
      """
      "$tool" detect --quiet --threads "$1" "$2" bad.png "$3" missing.png "$2" 2>&1
      """, threads, Tool.astronaut, Tool.drawnAstronaut)
    let lines = run.output.split(separator: "\n").filter { !$0.hasPrefix("  score") }
    let expected = [
      "\(Tool.astronaut): ", "yoloface: bad.png: ", "\(Tool.drawnAstronaut): ",
      "yoloface: missing.png: ", "\(Tool.astronaut): ",
    ]
    #expect(lines.count == expected.count)
    for (line, start) in zip(lines, expected) { #expect(line.hasPrefix(start)) }
    #expect(run.status == 1)
  }

  // Darwin does not limit the address space.
  #if os(Linux)
    /// All in one process limited to 512 MiB of address space. Each file gives a line of results or
    /// of errors. The time limit is generous; a file that hangs a decoder would take hours.
    @Test(.enabled(if: SharedData.exists, SharedData.explanation))
    func survivesHostilePictures() throws {
      let names = SharedData.names(in: "png/hostile")
      let clock = ContinuousClock()
      let start = clock.now
      let run = try tool.runShell(
        """
        cd "$1" && ulimit -v "${TEST_ADDRESS_SPACE:-524288}" &&
        exec "$tool" detect --quiet --json --threads 2 ./*
        """, SharedData.path("png/hostile"))
      #expect(clock.now - start < .seconds(60))
      #expect(!run.wasKilled)
      #expect(run.status == 1)
      let errors = run.errors.split(separator: "\n")
      #expect(errors.allSatisfy { $0.hasPrefix("yoloface: ./") })
      let results = run.output.split(separator: "\n")
      #expect(results.allSatisfy { $0.hasPrefix("{\"faces\":[") })
      #expect(errors.count + results.count == names.count)
      #expect(errors.count > names.count / 2)
    }
  #endif

  @Test func refusesWrongUsage() throws {
    let mistakes = tool.falseUsage(
      of: "detect",
      table: """
        a.png
        | Give a picture, a directory, or --files-from.
        '' | An empty argument
        a.png --annotate b.png
        a.png --annotate '' | An empty argument
        a.png --annotate= | An empty argument
        a.png --no-such-flag | Unknown option '--no-such-flag'
        a.png --annotate b.png --no-labels --no-landmarks
        a.png --no-labels | --no-labels, --no-landmarks and --line-width say how to draw
        a.png --no-landmarks | --no-labels, --no-landmarks and --line-width say how to draw
        a.png --line-width 2 | --no-labels, --no-landmarks and --line-width say how to draw
        a.png --annotate b.png --line-width 100
        a.png --annotate b.png --line-width 0 | --line-width 0.0: give a number
        a.png --annotate b.png --line-width 101 | --line-width 101.0: give a number
        a.png --min-quality 1
        a.png --min-quality 1.1 | --min-quality 1.1: give a number from 0 to 1.
        a.png --quality --json
        a.png --quality --format csv | --quality is printed as text and JSON: give no other --format.
        a.png --tiles 64
        a.png --tiles 0 | --tiles 0: give a number from 1 to 64.
        a.png --tiles 65 | --tiles 65: give a number from 1 to 64.
        a.png --rotations 4
        a.png --rotations 2 | --rotations 2: give 1 or 4.
        """)
    #expect(mistakes == [])
  }

  /// The default subcommand would take the word for a picture, and `help` would ignore it.
  @Test func suggestsASubcommand() {
    // The directory of the tests has no pictures of these names.
    let mistakes = tool.falseUsage(
      table: """
        @/p.png
        detect @/none
        evalute --help | did you mean evaluate?
        xyzzyx | xyzzyx: found neither a subcommand nor a picture of this name; yoloface --help
        help
        help track
        help help
        --help
        help nosuch | help nosuch: found no subcommand of this name; yoloface --help lists
        help track1 | did you mean track?
        """)
    #expect(mistakes == [])
  }

  /// What nine of ten need fits two screens; the rest is one option away.
  @Test func helpBeginsWithWhatIsNeededDaily() throws {
    let short = try tool.run("detect", "--help").succeeded().output
    let all = try tool.run("detect", "--help-hidden").succeeded().output
    #expect(short.split(separator: "\n").count <= 100)
    #expect(short.contains("USAGE: yoloface detect "))
    #expect(short.contains("--help-hidden") && !short.contains("--iou"))
    for option in ["--iou", "--param", "--files-from", "--view", "--tiles"] {
      #expect(all.contains("  \(option)"), "\(option)")
    }
  }

  @Test func acceptsWordsThatArePictures() throws {
    try tool.copyPhoto(to: "detct")
    try tool.run("detct").succeeded()
  }

  @Test func namesItsVersions() throws {
    let run = try tool.run("--version").succeeded()
    #expect(run.output.contains("libpng 1."))
    #expect(run.output.contains("yoloface-n-0.5"))
    #expect(run.output.contains("\nThe model's weights are for research and tests: "))
    let support =
      "This build does not read JPEG or WebP; "
      + "swift build --package-path Tool --traits JPEG,WebP makes one that does."
    #expect(run.output.contains("\n\(support)\n"))
    #expect(
      run.output.contains("\nInstruction sets available: ") && run.output.hasSuffix("baseline\n"))
    let help = try tool.run("--help").output
    #expect(
      help.split(separator: "\n").contains { $0.hasPrefix("This build does not read JPEG or") })
    #expect(help.contains("Finds faces and their landmarks in PNG pictures."))
  }

  @Test func printsAndDemandsQuality() throws {
    #expect(try !Tool.astronautJSON.get().contains("\"quality\""))
    let faces = try tool.detected(Tool.astronaut, "--quality").faces
    let quality = try #require(faces.first?.quality)
    let product =
      quality.size * quality.sharpness * quality.light * quality.pose * quality.completeness
    #expect(abs(quality.score - product) < 0.001)
    #expect(try tool.detected(Tool.astronaut, "--min-quality", "0.999").faces.isEmpty)
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
    func count(_ options: String...) throws -> Int {
      let run = try tool.runAll(["detect", "scene.png", "--select", "biggest", "--json"] + options)
      return try run.output.decoded(as: DetectionReport.self).faces.count
    }
    #expect(try count() == 2)
    #expect(try count("--min-quality", "0.3") == 1)
    #expect(try count("--min-quality", "0.3", "--max-faces", "1") == 1)
  }

  @Test func searchesCloselyIfAsked() throws {
    let photo = try Picture.read(path: Tool.astronaut)
    try PNG.write(photo.upright(from: .right), to: tool.path("lying.png"))
    let run = try tool.run("detect", "lying.png", "--thorough", "--refine", "--format", "csv")
      .succeeded()
    let row = try #require(run.output.split(separator: "\n").dropFirst().first)
    // Turned clockwise by 90°, the roll of 2° is 92°.
    let roll = try #require(Double(row.split(separator: ",", omittingEmptySubsequences: false)[19]))
    #expect(abs(roll - 92) < 5)
  }
}
