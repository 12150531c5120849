import ArgumentParser
import Files
import YOLOFace

/// `yoloface track`: faces followed from frame to frame.
struct Track: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Follows faces over frames, each with an ID that lasts as long as the face does.",
    discussion: """
      Frames are PNG pictures in the order of their times, or raw frames on standard input. Prints a \
      JSON object per frame, one on each line: its time as an exact fraction of seconds, its faces \
      with their IDs, the IDs of faces that were missed, and of those that are lost for good. A \
      picture that cannot be read is passed over with a message; its time passes.

      Examples:
        yoloface track frames --annotate followed
        yoloface track frames --frame-rate 30000/1001 --maximum-gap 0.5
        ffmpeg -i film.mp4 -f rawvideo -pix_fmt bgra - | yoloface track --raw 1280x720
      """)

  @Argument(
    help: ArgumentHelp(
      "PNG pictures, and directories whose *.png files are taken by name.", valueName: "frame"))
  var frames: [String] = []

  @OptionGroup(title: "Raw frames") var rawFrames: RawFrameOptions

  @OptionGroup var model: ModelOptions

  @OptionGroup(title: "How positions are printed and drawn") var view: ViewOptions

  @Option(
    help: ArgumentHelp(
      "How many frames there are in a second, such as 25 or 30000/1001.", valueName: "number"))
  var frameRate = FrameRate(numerator: 30, denominator: 1)

  @Option(
    help: ArgumentHelp(
      "For how long a face may be missed before it is lost.", valueName: "seconds"))
  var maximumGap = 1.0

  @Option(help: "Faces of a lower score, 0 to 1, are left out.")
  var scoreThreshold: Float = 0.5

  @Option(
    help: ArgumentHelp(
      """
      Write each frame with its faces and IDs drawn as DIR/000000.png and so on; an older file is \
      not replaced.
      """, valueName: "dir"))
  var annotate: String?

  func validate() throws {
    guard frames.isEmpty != (rawFrames.raw == nil) else {
      throw ValidationError("Give either pictures or --raw.")
    }
    guard (0...1).contains(scoreThreshold) else {
      throw ValidationError("--score-threshold \(scoreThreshold): give a number from 0 to 1.")
    }
    guard (0...86_400).contains(maximumGap) else {
      throw ValidationError("--maximum-gap \(maximumGap): give a number from 0 to 86400.")
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
      let gap = try RationalTime(value: Int64((maximumGap * 1000).rounded()), timescale: 1000)
      var tracker = FaceTracker(maximumGap: gap)
      if var raw = rawFrames.frames {
        var number = 0
        while let image = try raw.next() {
          try follow(image, number, nil, with: detector, &tracker)
          number += 1
        }
        return
      }
      var failures = 0
      for (number, path) in paths.enumerated() {
        do {
          try follow(try PNG.read(path: path), number, path, with: detector, &tracker)
        } catch let error as PNGError {
          failures += 1
          printError("\(error)")
        }
      }
      if failures > 0 { throw ExitCode.failure }
    }
  }

  private func follow(
    _ image: RGBImage, _ number: Int, _ path: String?, with detector: FaceDetector,
    _ tracker: inout FaceTracker
  ) throws {
    var options = DetectionOptions()
    options.scoreThreshold = scoreThreshold
    options.orientation = view.orientation ?? .up
    let faces = try detector.detect(in: image, options: options)
    let update = try tracker.update(faces, at: try frameRate.time(of: number))
    let space = try view.space(of: image)
    let report = TrackingReport(frame: number, path: path, update: update, in: space)
    try printLine(try report.json())
    try flushOutput()
    guard let annotate else { return }
    let target = framePath(number, in: annotate)
    guard !fileExists(target) else { throw ExistingFile(path: target) }
    var picture = image
    var shown = update.faces.map { (id: $0.id, face: $0.face) }
    if let space {
      picture = try image.rendered(in: space)
      shown = shown.map { ($0.id, space.written(in: .pixels).map($0.face)) }
    }
    picture.draw(tracked: shown)
    try PNG.write(picture, to: target)
  }
}

/// Frames in a second, as a fraction.
struct FrameRate: ExpressibleByArgument, CustomStringConvertible {
  var numerator: Int32
  var denominator: Int32

  init(numerator: Int32, denominator: Int32) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// A whole number or two with a slash between them, each above 0.
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int32($0) }
    guard numbers.count == parts.count, (1...2).contains(parts.count),
      numbers.allSatisfy({ $0 > 0 })
    else { return nil }
    self.init(numerator: numbers[0], denominator: numbers.count == 2 ? numbers[1] : 1)
  }

  /// The time of a frame, counted from 0.
  ///
  /// - Throws: `RationalTimeError`, where it is too far off.
  func time(of frame: Int) throws -> RationalTime {
    let (value, overflow) = Int64(frame).multipliedReportingOverflow(by: Int64(denominator))
    guard !overflow else { throw FrameTimeOverflow(frame: frame) }
    return try RationalTime(value: value, timescale: numerator)
  }

  var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}

/// A frame whose time does not fit a number.
private struct FrameTimeOverflow: Error, CustomStringConvertible {
  var frame: Int

  var description: String { "frame \(frame): its time is too far off to be told" }
}
