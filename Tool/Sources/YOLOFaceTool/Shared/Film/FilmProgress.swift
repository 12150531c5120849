import Formatting
import LibC

/// A film's progress, on standard error if this is a terminal and the results go elsewhere.
final class FilmProgress {
  private let progress = Progress()
  private let total: Int?
  private var done = 0
  private let isShown: Bool

  /// - Parameters:
  ///   - total: the number of frames; nil if it is unknown.
  ///   - isQuiet: whether no progress is shown.
  init(total: Int?, isQuiet: Bool = false) {
    self.total = total
    isShown = !isQuiet && progress.isShown && isatty(STDOUT_FILENO) == 0
  }

  /// Counts a frame.
  func showNext() {
    done += 1
    guard isShown, done % 10 == 0 else { return }
    progress.show("\(done)" + (total.map { $0 >= done ? " of \($0)" : "" } ?? "") + " frames")
  }

  /// Prints a message in the line's place.
  func printError(_ message: String) {
    clear()
    YOLOFaceTool.printError(message)
  }

  /// Removes the line.
  func clear() { if isShown { progress.clear() } }
}
