import ArgumentParser
import Files
@preconcurrency import LibC
import Formatting

/// Prints a message to standard error, on one line.
func printError(_ message: String) {
  fputs("yoloface: \(printable(message))\n", stderr)
}

/// Prints a line to standard output, which `print` would do without noticing a full disk.
///
/// - Throws: `FileError` where the output takes no more.
func printLine(_ text: String) throws(FileError) {
  try printText("\(text)\n")
}

/// Prints a text to standard output.
///
/// - Throws: `FileError` where the output takes no more.
func printText(_ text: String) throws(FileError) {
  guard fputs(text, stdout) >= 0 else { throw outputError() }
}

/// Sends on what standard output still holds back.
///
/// - Throws: `FileError` where the output takes no more.
func flushOutput() throws(FileError) {
  guard fflush(stdout) == 0 else { throw outputError() }
}

private func outputError() -> FileError {
  FileError(
    path: "standard output", found: systemMessage(errno), expected: "an output that can be written")
}

/// Runs the work of a subcommand; an error becomes a message and the exit status 1, unless it has a
/// status of its own.
///
/// A closed standard output is refused before the work, and closed others lead to nothing: the next
/// file that is opened would take their place.
func reportingErrors(_ work: () throws -> Void) throws {
  do {
    for descriptor in [STDIN_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      if open("/dev/null", O_RDWR) != descriptor { throw outputError() }
    }
    guard fcntl(STDOUT_FILENO, F_GETFD) >= 0 else { throw outputError() }
    try work()
    try flushOutput()
  } catch let error where error is ExitCode || error is ValidationError {
    throw error
  } catch {
    printError("\(error)")
    throw ExitCode.failure
  }
}

/// A line on standard error that says how far the work is, where that is a terminal.
struct Progress: Sendable {
  /// Whether anyone sees it.
  let isShown = isatty(STDERR_FILENO) == 1

  /// Replaces the line.
  func show(_ text: String) {
    if isShown { fputs("\r\u{1B}[K\(text)", stderr) }
  }

  /// Removes the line.
  func clear() { show("") }
}
