import ArgumentParser
import Files
import LibC

/// A film's progress, on standard error if this is a terminal and the results go elsewhere, and the frames
/// that failed.
final class FilmProgress {
  private var failures = 0
  private let progress = Progress()
  private let total: Int?
  private var done = 0
  private let isShown: Bool

  init(total: Int?, isQuiet: Bool = false) {
    self.total = total
    isShown = !isQuiet && progress.isShown && isatty(STDOUT_FILENO) == 0
  }

  func showNext() {
    done += 1
    guard isShown, done % 10 == 0 else { return }
    progress.show("\(done)" + (total.map { $0 >= done ? " of \($0)" : "" } ?? "") + " frames")
  }

  /// Counts a frame that failed, and says why, in the line's place.
  func skip(_ error: any Error) {
    failures += 1
    clear()
    printError("\(error)")
  }

  /// Works on a frame, and skips it if that fails.
  ///
  /// - Throws: an error that would meet every frame that follows.
  func attempt(_ work: () throws -> Void) throws {
    do { try work() } catch let error
      where !(error is FileError || error is ValidationError || error is ExitCode)
    { skip(error) }
  }

  /// Prints ffmpeg's complaints about a film.
  ///
  /// - Throws: `ExitCode` if there are any, or a frame has failed.
  func end(complaints: String?) throws {
    if let complaints { printError(complaints) }
    if complaints != nil || failures > 0 { throw ExitCode.failure }
  }

  func clear() { if isShown { progress.clear() } }
}
