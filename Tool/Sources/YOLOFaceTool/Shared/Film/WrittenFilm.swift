import Films
import YOLOFace

/// A film that is written frame by frame, from the first one on.
final class WrittenFilm {
  private let path: String
  private let interval: RationalTime
  private let source: String?
  private let outputs: Outputs
  private var writer: FilmWriter?

  /// - Parameters:
  ///   - path: the film's path.
  ///   - interval: the time from each frame to the next.
  ///   - source: the path of a film whose sound is taken over; nil for none.
  ///   - outputs: the outputs that the film is one of.
  init(_ path: String, interval: RationalTime, soundOf source: String? = nil, by outputs: Outputs) {
    (self.path, self.interval, self.source, self.outputs) = (path, interval, source, outputs)
  }

  /// Adds a frame's picture.
  ///
  /// - Throws: `UnequalFrame` for one of another size than the first, which is left out; `FileError`
  ///   where the film cannot be written; `ExitCode` after a signal.
  func append(_ picture: RGBImage, of frame: Frame) throws {
    let writer =
      try writer ?? outputs.film(path, of: picture, interval: interval, soundOf: source)
    self.writer = writer
    guard picture.width == writer.width, picture.height == writer.height else {
      throw UnequalFrame(
        frame: frame.name, found: picture.size,
        expected: Size(width: Double(writer.width), height: Double(writer.height)), film: path)
    }
    try unlessInterrupted { try writer.append(picture) }
  }

  /// Gives the film its name; without frames, there is no film.
  ///
  /// - Throws: `FileError`, and `ExitCode` after a signal; the film is then removed.
  func finish() throws {
    if let writer { try unlessInterrupted { try outputs.finish(writer) } }
  }

  /// A signal from the terminal ends ffmpeg, too; the error that follows is then the signal's.
  private func unlessInterrupted(_ write: () throws -> Void) throws {
    do { try write() } catch {
      try Interruption.check()
      throw error
    }
  }
}
