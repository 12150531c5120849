// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFiles
import YOLOFaceLibC

struct FrameOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      """
      \(Picture.formats) pictures; directories, whose pictures, including those in subdirectories, are taken in the \
      order of the numbers in their names; or one film, such as film.mp4, if ffmpeg is on the path.
      """, valueName: "frame"), completion: .file())
  var frames: [String] = []

  @OptionGroup(visibility: .hidden) var picture: PictureOptions
  @OptionGroup(visibility: .hidden) var walk: WalkOptions
  @OptionGroup(title: "Raw frames", visibility: .hidden) var rawFrames: RawFrameOptions

  @Option(
    help: ArgumentHelp(
      """
      The number of frames per second, such as 25, 29.97 or 30000/1001; by default a film's own, and 30 \
      for other frames.
      """, valueName: "number"))
  var frameRate: PositiveFraction?

  @Option(
    help: ArgumentHelp(
      """
      Write each frame, annotated and as the view shows it, as DIR/000000.png and so on, by its \
      number. The directory is created if it is missing; existing files are not replaced. Or write them \
      as a film, such as out.mp4, without sound, which may replace an older one.
      """, valueName: "dir or film"), completion: .file())
  var annotate: String?

  @OptionGroup(title: "What is drawn", visibility: .hidden) var drawing: DrawingOptions

  func validate() throws {
    guard frames.isEmpty != (rawFrames.raw == nil) else {
      throw ValidationError("Give either pictures, a film, or --raw.")
    }
    try rawFrames.require(atMost: picture.maxPixels)
    try drawing.require(annotate)
    try requireDirectoryName(annotatedDirectory, option: "--annotate", mayBeFilm: true)
  }

  var annotatedFilm: String? { annotate.flatMap { isWritableFilmName($0) ? $0 : nil } }

  var annotatedDirectory: String? { annotatedFilm == nil ? annotate : nil }
}

final class Film {
  private let outputs: Outputs
  private let frames: FrameSequence
  private let writer: FrameWriter?

  var interval: RationalTime { frames.interval }

  init(_ options: FrameOptions, besides inputs: [String?]) throws {
    let film = try onlyFilm(options.frames)
    let paths =
      try film.map { [$0] }
      ?? picturePaths(
        options.frames, leavingOut: options.annotate, excluding: options.walk.excluded)
    outputs = try Outputs(
      files: [options.annotatedFilm], directories: [options.annotatedDirectory],
      inputs: inputs + paths, readsStandardInput: options.rawFrames.raw != nil)
    // Where it ends early, ffmpeg is ended, and a film removed.
    if film != nil || options.annotatedFilm != nil { Interruption.beginNoting() }
    frames = try FrameSequence(
      film: film, raw: options.rawFrames.frames, pictures: paths, rate: options.frameRate,
      limits: options.picture.limits, read: { try options.picture.readSaying($0) })
    writer = options.annotate.map { [frames, outputs] path in
      let place = options.annotatedFilm.map { .film($0) } ?? FrameWriter.Place.directory(path)
      return FrameWriter(place, of: frames, by: outputs)
    }
  }

  /// Prints the line that `work` makes of each frame, if it is not empty. If a frame cannot be read, or `work` fails on
  /// it, a message says why, and the next frame follows; the failed frame's time still passes, and the exit status
  /// after the last says so.
  func forEach(_ work: (Frame) throws -> String) throws {
    try outputs.makeDirectories()
    var sequence = frames
    let progress = FilmProgress(total: sequence.count)
    defer { progress.clear() }
    while Interruption.isGoingOn, let next = try sequence.next() {
      switch next {
      case .success(let frame):
        try progress.attempt {
          let line = try work(frame)
          if !line.isEmpty { try printLine(line) }
          try flushOutput()
        }
      case .failure(let error): progress.skip(error)
      }
      progress.showNext()
    }
    progress.clear()
    try Interruption.check()
    try writer?.finish()
    if let reader = frames.reader {
      for loss in reader.losses { printError("\(reader.path): \(loss)") }
    }
    try progress.end(complaints: sequence.complaints)
  }

  /// Writes a frame's picture, which is drawn only if `--annotate` is given.
  func write(_ frame: Frame, drawn: () throws -> RGBImage) throws {
    try writer?.write(try drawn(), of: frame)
  }
}

struct Frame {
  /// From 0.
  var number: Int
  /// Since frame 0.
  var time: RationalTime
  /// The picture's path; nil for a film's frame and a raw one.
  var path: String?
  var image: RGBImage
  var color = ColorDescription()
  /// Whether a scene begins with it.
  var isCut: Bool
  /// The bytes of a raw frame; nil for a picture.
  var bytes: [UInt8]?

  /// What is wrong with a picture of the frame whose size is not that of the frames before it.
  func unequal(_ picture: RGBImage, to size: Size2D) -> Failure {
    Failure(
      "\(path ?? "frame \(number)"): found \(picture.size.inPixels) pixels, expected \(size.inPixels), as before"
    )
  }

  var fileName: String { Self.fileName(number) }

  static func fileName(_ number: Int) -> String {
    let zeros = String(repeating: "0", count: max(0, 6 - "\(number)".count))
    return "\(zeros)\(number).png"
  }

  static func isFileName(_ name: String) -> Bool {
    Int(name.dropLast(".png".count)).map(fileName) == name
  }

  /// The frame without its picture, if it can be made of its bytes again.
  var keepingBytesAlone: Frame {
    guard bytes != nil else { return self }
    var frame = self
    frame.image = RGBImage(width: 1, height: 1)
    return frame
  }
}

extension Size2D {
  var inPixels: String { "\(Int(width)) × \(Int(height))" }
}

/// A time or duration as an exact fraction of seconds.
struct TimeReport: Encodable {
  var value, timescale: Int

  init(_ time: RationalTime) { (value, timescale) = (time.value, time.timescale) }

  /// In seconds, rounded.
  var seconds: Double { Double(value) / Double(timescale) }
}

/// A film's progress, on standard error if this is a terminal and the results go elsewhere, and the frames that failed.
final class FilmProgress {
  private var hasFailed = false
  private let progress = Progress()
  private let total: Int?
  private var done = 0
  private let isShown: Bool
  private let start = ContinuousClock.now

  init(total: Int?, isQuiet: Bool = false, printsLines: Bool = true) {
    self.total = total
    isShown = !isQuiet && progress.isShown && (!printsLines || isatty(STDOUT_FILENO) == 0)
  }

  func showNext() {
    done += 1
    guard isShown, done % 10 == 0 else { return }
    guard let total, total >= done else { return progress.show("\(done) frames") }
    let left = (ContinuousClock.now - start) / done * (total - done)
    progress.show("\(done) of \(total) frames, \(duration(left / .seconds(1))) left")
  }

  /// Says why a frame failed, in the line's place.
  func skip(_ error: any Error) {
    hasFailed = true
    clear()
    printError("\(error)")
  }

  /// Works on a frame, and skips it if that fails, unless the error would meet every frame that follows.
  func attempt(_ work: () throws -> Void) throws {
    do { try work() } catch let error
      where !(error is FileError || error is ValidationError || error is ExitCode)
    { skip(error) }
  }

  /// Prints ffmpeg's complaints about a film; the exit status is 1 if there are any, or a frame has failed.
  func end(complaints: String?) throws {
    if let complaints { printError(complaints) }
    if complaints != nil || hasFailed { throw ExitCode.failure }
  }

  func clear() { if isShown { progress.clear() } }
}
