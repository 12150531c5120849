import ArgumentParser
import Files
import YOLOFace

/// `yoloface guide`: guides a person, frame by frame, until the face is in a circle.
struct Guide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says frame by frame how to get a face into a circle.",
    discussion: """
      Frames are PNG pictures in the order of their times. For each, prints where the session is \
      (start, checking, finish, timeOut), the verdict on the frame (noFace, severalFaces, \
      outsideCircle, tooSmall, tooLarge, turnedAway, holdStill, success) and what to tell the \
      person. A frame that cannot be read is passed over with a message; its time passes.

      Examples:
        yoloface guide frames --circle 320,240,150
        yoloface guide frames --circle 195,380,150 --view 390x844 --gravity aspect-fill --mirror
        yoloface guide frames --circle 320,240,150 --json --annotate guided --frame-rate 10
      """)

  @Argument(
    help: ArgumentHelp(
      "PNG pictures, and directories whose *.png files are taken by name.", valueName: "frame"))
  var frames: [String]

  @OptionGroup var model: ModelOptions

  @OptionGroup(title: "How positions are given, printed and drawn") var view: ViewOptions

  @Option(
    help: ArgumentHelp(
      """
      Where the face is wanted: the middle and the radius, in pixels of the picture, or of the view \
      where one is given.
      """, valueName: "x,y,radius"))
  var circle: CircularMask

  @Option(help: "How many good frames in a row finish the session.")
  var goodFrames = 10

  @Option(help: ArgumentHelp("When the session times out.", valueName: "seconds"))
  var timeOut = 10.0

  @Option(help: ArgumentHelp("How many frames there are in a second.", valueName: "number"))
  var frameRate = 30.0

  @Flag(help: "Print a JSON object per frame, one on each line.")
  var json = false

  @Option(
    help: ArgumentHelp(
      """
      Write what the person is shown as DIR/000000.png and so on, by the frame's number; an older \
      file is not replaced.
      """, valueName: "dir"))
  var annotate: String?

  func validate() throws {
    guard (1...1_000_000).contains(goodFrames) else {
      throw ValidationError("--good-frames \(goodFrames): give a number from 1 to 1000000.")
    }
    guard timeOut > 0, timeOut <= 1e6 else {
      throw ValidationError("--time-out \(timeOut): give a number above 0 and up to 1000000.")
    }
    guard (0.001...100_000).contains(frameRate) else {
      throw ValidationError("--frame-rate \(frameRate): give a number from 0.001 to 100000.")
    }
    guard annotate != "" else {
      throw ValidationError("--annotate: give the path of a directory.")
    }
  }

  func run() throws {
    try reportingErrors {
      let paths = try picturePaths(frames)
      if let annotate { try prepareDirectory(annotate) }
      let detector = try model.detector(threads: min(processorCount(), 8))
      var session: GuidanceSession?
      var failures = 0
      func attempt<Output>(_ work: () throws -> Output) -> Output? {
        do { return try work() } catch {
          failures += 1
          printError("\(error)")
          return nil
        }
      }
      for (number, path) in paths.enumerated() {
        let image = attempt { try PNG.read(path: path) }
        guard let image,
          let report = attempt({ try judge(image, number, path, with: detector, &session) })
        else { continue }
        try printLine(json ? try report.json() : report.text)
        try flushOutput()
        if let annotate {
          attempt { try write(image, report, to: annotate) }
        }
      }
      if failures > 0 { throw ExitCode.failure }
    }
  }

  /// Takes a frame; the first one begins the session, whose clock starts with frame 0.
  private func judge(
    _ image: RGBImage, _ number: Int, _ path: String, with detector: FaceDetector,
    _ session: inout GuidanceSession?
  ) throws -> GuidanceReport {
    var options = DetectionOptions()
    options.orientation = view.orientation ?? .up
    let faces = try detector.detect(in: image, options: options)
    var current = try session ?? begin(with: image)
    guard current.view.imageSize == image.size else {
      throw OtherSize(path: path, found: image.size, expected: current.view.imageSize)
    }
    let time = Double(number) / frameRate
    current.update(faces, at: .seconds(time))
    session = current
    return GuidanceReport(
      frame: number, time: time, path: path, session: current, faces: faces,
      in: try view.space(of: image))
  }

  private func begin(with image: RGBImage) throws -> GuidanceSession {
    var options = GuidanceOptions()
    options.goodFrames = goodFrames
    options.timeLimit = .seconds(timeOut)
    let space = try view.space(of: image) ?? ViewSpace(imageSize: image.size)
    var session = GuidanceSession(
      circle: circle, in: space.written(in: .pixels), options: options)
    session.begin(at: .zero)
    return session
  }

  private func write(_ image: RGBImage, _ report: GuidanceReport, to directory: String) throws {
    let digits = String(report.frame)
    let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".png"
    let path = directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    guard !fileExists(path) else { throw ExistingFile(path: path) }
    let space = report.session.view
    var picture = report.view == nil ? image : try image.rendered(in: space)
    picture.drawGuidance(
      circle: circle, faces: report.detected.map { space.map($0) },
      isGood: report.session.verdict == .success, tip: report.session.tip)
    try PNG.write(picture, to: path)
  }
}

extension CircularMask: ExpressibleByArgument {
  /// A circle of three numbers parted by commas: x, y and the radius.
  public init?(argument: String) {
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    guard parts.count == 3, numbers.count == 3, numbers.allSatisfy({ abs($0) <= 1e9 }),
      numbers[2] > 0
    else { return nil }
    self.init(center: Point(x: numbers[0], y: numbers[1]), radius: numbers[2])
  }
}

/// A frame whose size is not that of the frames before.
private struct OtherSize: Error, CustomStringConvertible {
  var path: String
  var found: Size
  var expected: Size

  var description: String {
    "\(path): found \(text(found)) pixels, expected \(text(expected)) as before"
  }

  private func text(_ size: Size) -> String { "\(Int(size.width)) × \(Int(size.height))" }
}
