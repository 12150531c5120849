import ArgumentParser
import Files
import YOLOFace

/// The frames selected by the options, and where they are written.
struct Film {
  private let options: FrameOptions
  private let paths: [String]
  private let outputs: Outputs

  /// - Parameters:
  ///   - options: the options that select the frames.
  ///   - inputs: paths of the other files that are read.
  /// - Throws: `ValidationError` or `FileError` if there are no frames, and what `Outputs` throws.
  init(_ options: FrameOptions, besides inputs: [String?]) throws {
    self.options = options
    paths = try picturePaths(
      options.frames, leavingOut: FileIdentity(options.annotate ?? ""))
    outputs = try Outputs(
      directories: [options.annotate], inputs: inputs + paths,
      readsStandardInput: options.rawFrames.raw != nil)
  }

  /// Prints a line for each frame, but for empty ones. If a frame cannot be read, or `work` fails on it, a message says
  /// why, and the next frame follows; the failed frame's time still passes.
  ///
  /// - Throws: `ExitCode` after the last frame, if any failed; `RawFrameError` if the input ends
  ///   early; `FileError` if the output cannot be written; `ValidationError` from `work`.
  func forEach(_ work: (Frame) throws -> String) throws {
    var sequence = try FrameSequence(
      paths: paths, read: options.picture.read, raw: options.rawFrames.frames,
      interval: try options.frameRate.interval)
    var failures = 0
    while let frame = try sequence.next() {
      let line: String
      do { line = try work(try frame.get()) } catch let error where !(error is ValidationError) {
        failures += 1
        printError("\(error)")
        continue
      }
      if !line.isEmpty { try printLine(line) }
      try flushOutput()
    }
    if failures > 0 { throw ExitCode.failure }
  }

  /// Writes a frame's picture, which is drawn only if `--annotate` is given.
  func write(_ frame: Frame, drawn: () throws -> RGBImage) throws {
    guard let directory = options.annotate else { return }
    let digits = String(frame.number)
    let name = String(repeating: "0", count: max(0, 6 - digits.count)) + digits + ".png"
    try outputs.writeNew(try drawn(), to: path(of: name, in: directory), in: directory)
  }
}

/// A frame of a film.
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

  /// The frame without its picture, if it can be made of its bytes again.
  var keepingBytesAlone: Frame {
    guard bytes != nil else { return self }
    var frame = self
    frame.image = RGBImage(width: 1, height: 1)
    return frame
  }
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

/// A film's frames, read one at a time.
struct FrameSequence {
  private let paths: [String]
  private let read: (String) throws -> RGBImage
  private var raw: RawFrames?
  private let interval: RationalTime
  private var number = 0
  private var time: RationalTime

  /// - Parameters:
  ///   - paths: the paths of pictures, which are used if there are no raw frames.
  ///   - read: reads one of them.
  ///   - raw: the frames on standard input; nil for pictures.
  ///   - interval: the time from each frame to the next.
  init(
    paths: [String], read: @escaping (String) throws -> RGBImage, raw: RawFrames?,
    interval: RationalTime
  ) throws(RationalTimeError) {
    self.paths = paths
    self.read = read
    self.raw = raw
    self.interval = interval
    time = try RationalTime(value: 0, timescale: interval.timescale)
  }

  /// The next frame; nil after the last. A picture that cannot be read gives a failure in its
  /// place.
  ///
  /// - Throws: `RawFrameError` if raw frames end early.
  mutating func next() throws -> Result<Frame, any Error>? {
    let (number, time) = (number, time)
    let frame: Result<Frame, any Error>
    if raw != nil {
      guard let image = try raw?.next() else { return nil }
      frame = .success(Frame(number: number, time: time, image: image, bytes: raw?.bytes))
    } else {
      guard number < paths.count else { return nil }
      let path = paths[number]
      frame = Result {
        Frame(number: number, time: time, path: path, image: try read(path))
      }
    }
    self.number += 1
    self.time = try time.adding(interval)
    return frame
  }
}
