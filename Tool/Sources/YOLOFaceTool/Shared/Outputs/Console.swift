// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFaceFiles
import YOLOFaceFormatting
@preconcurrency import YOLOFaceLibC

/// An error that is only reported: what is wrong, and what to do about it.
struct Failure: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// A line of a message; names of files in it could control a terminal, or fill it.
func messageLine(_ text: some StringProtocol) -> String {
  printable(shortened(String(text), to: 2_000))
}

func printError(_ message: String) { fputs("yoloface: \(messageLine(message))\n", stderr) }

/// Unlike `print`, it notices a full disk, as do the functions below.
func printLine(_ text: String) throws(FileError) { try printText("\(text)\n") }

func printText(_ text: String) throws(FileError) {
  guard fputs(text, stdout) >= 0 else { throw outputError() }
}

func printBytes(_ bytes: [UInt8]) throws(FileError) {
  guard fwrite(bytes, 1, bytes.count, stdout) == bytes.count else { throw outputError() }
}

func flushOutput() throws(FileError) {
  guard fflush(stdout) == 0 else { throw outputError() }
}

private func outputError(_ number: Int32 = errno) -> FileError {
  FileError(
    path: "standard output", writing: number, expected: "an output that can be written")
}

/// Runs the work of a subcommand. An error becomes a message and the exit status 1, unless it has its own status.
///
/// Where the reader of standard output goes away, the work ends without a message, with the status of the signal.
/// That signal and the one of a file beyond the system's limit are ignored: they would leave unfinished files behind.
/// A closed standard output is an error, and other closed streams are opened as `/dev/null`: the next file opened
/// would take their place.
func reportingErrors(_ work: () throws -> Void) throws {
  for signalNumber in [SIGPIPE, SIGXFSZ] { signal(signalNumber, SIG_IGN) }
  do {
    for descriptor in [STDIN_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      if open("/dev/null", O_RDWR) != descriptor { throw outputError() }
    }
    guard fcntl(STDOUT_FILENO, F_GETFD) >= 0 else { throw outputError() }
    try work()
    try flushOutput()
  } catch let error
    where error is ExitCode || error is ValidationError
    || YOLOFaceCommand.exitCode(for: error) == .success
  {
    throw error
  } catch let error as FileError where error == outputError(EPIPE) {
    throw ExitCode(128 + SIGPIPE)
  } catch {
    printError("\(error)")
    throw ExitCode.failure
  }
}
