import Films
import YOLOFace

/// The frames selected by the options, and where they are written.
final class Film {
  private let outputs: Outputs
  private let frames: FrameSequence
  /// Writes the annotated frames; nil where none are wanted.
  private let writer: FrameWriter?

  /// The time from each frame to the next.
  var interval: RationalTime { frames.interval }

  /// - Throws: `ValidationError` or `FileError` if there are no frames, and what `Outputs` and `FrameSequence`
  ///   throw.
  init(_ options: FrameOptions, besides inputs: [String?]) throws {
    let film = try onlyFilm(options.frames)
    let paths =
      try film.map { [$0] }
      ?? picturePaths(options.frames, leavingOut: options.annotate)
    outputs = try Outputs(
      files: [options.annotatedFilm], directories: [options.annotatedDirectory],
      inputs: inputs + paths, readsStandardInput: options.rawFrames.raw != nil)
    // Where it ends early, a film is removed.
    if options.annotatedFilm != nil { Interruption.beginNoting() }
    frames = try FrameSequence(
      film: film, raw: options.rawFrames.frames, pictures: paths, rate: options.frameRate,
      limits: options.picture.ofFilm, read: options.picture.read)
    let place =
      options.annotatedFilm.map { FrameWriter.Place.film($0) }
      ?? options.annotatedDirectory.map { .directory($0) }
    writer = place.map { [frames, outputs] in FrameWriter($0, of: frames, by: outputs) }
  }

  /// Prints the line that `work` makes of each frame, if it is not empty. If a frame cannot be read, or
  /// `work` fails on it, a message says why, and the next frame follows; the failed frame's time still
  /// passes.
  ///
  /// - Throws: `ExitCode` after the last frame, if any failed or the film is damaged, or after a signal;
  ///   `Failure` if the input ends early; `FileError` if an output cannot be written,
  ///   as on a full disk; `ValidationError` from `work`.
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
    try progress.end(complaints: sequence.complaints)
  }

  /// Writes a frame's picture, which is drawn only if `--annotate` is given.
  func write(_ frame: Frame, drawn: () throws -> RGBImage) throws {
    try writer?.write(try drawn(), of: frame)
  }
}

struct Frame {
  /// Counted from 0.
  var number: Int
  /// The time since frame 0.
  var time: RationalTime
  /// The picture's path; nil for a raw frame.
  var path: String?
  var image: RGBImage
  /// The bytes of a raw frame; nil for a picture.
  var bytes: [UInt8]?

  /// The picture's path, or the frame's number.
  private var name: String { path ?? "frame \(number)" }

  /// What is wrong with a picture of the frame whose size is not that of the frames before it.
  func unequal(_ picture: RGBImage, to size: Size) -> Failure {
    Failure("\(name): found \(picture.size.inPixels) pixels, expected \(size.inPixels), as before")
  }

  var fileName: String { Self.fileName(number) }

  static func fileName(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".png"
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

extension Size {
  /// The text of a size in whole pixels.
  var inPixels: String { "\(Int(width)) × \(Int(height))" }
}

/// A time or duration as an exact fraction of seconds.
struct TimeReport: Encodable {
  var value: Int64
  var timescale: Int32

  init(_ time: RationalTime) {
    value = time.value
    timescale = time.timescale
  }

  /// In seconds, rounded.
  var seconds: Double { Double(value) / Double(timescale) }
}
