import ArgumentParser
import Files
import YOLOFace

/// The frames that the options lead to, and where they are written.
struct Film {
  private let options: FrameOptions
  private let paths: [String]
  private let outputs: Outputs

  /// - Parameters:
  ///   - options: say where the frames are.
  ///   - inputs: paths of files that are read besides.
  /// - Throws: `ValidationError` or `FileError` where there are no frames, and what `Outputs` throws.
  init(_ options: FrameOptions, besides inputs: [String?]) throws {
    self.options = options
    paths = try picturePaths(
      options.frames, leavingOut: FileIdentity(options.annotate ?? ""))
    outputs = try Outputs(
      directories: [options.annotate], inputs: inputs + paths,
      readsStandardInput: options.rawFrames.raw != nil)
  }

  /// Prints a line for each frame. Where a frame cannot be read, or `work` fails on it, a message says
  /// why, its time passes, and the next one follows.
  ///
  /// - Throws: `ExitCode` after the last frame, where any failed; `RawFrameError` or `FileError`
  ///   where the input ends early or the output takes no more; `ValidationError` from `work`.
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
      try printLine(line)
      try flushOutput()
    }
    if failures > 0 { throw ExitCode.failure }
  }

  /// Writes a frame's picture, which is made only where `--annotate` asks for it.
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
  /// That of frame 0 is 0.
  var time: RationalTime
  /// The picture's path; nil for a raw frame.
  var path: String?
  var image: RGBImage
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
  ///   - paths: of pictures, which count where there are no raw frames.
  ///   - read: how one of them is read.
  ///   - raw: the frames on standard input.
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

  /// The next frame; nil after the last. A picture that cannot be read is an error in its place.
  ///
  /// - Throws: `RawFrameError` where raw frames end early.
  mutating func next() throws -> Result<Frame, any Error>? {
    let (number, time) = (number, time)
    let frame: Result<Frame, any Error>
    if raw != nil {
      guard let image = try raw?.next() else { return nil }
      frame = .success(Frame(number: number, time: time, image: image))
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
