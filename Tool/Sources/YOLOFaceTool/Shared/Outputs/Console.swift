import ArgumentParser
import Files
import Formatting
@preconcurrency import LibC
import Synchronization

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
    path: "standard output", found: systemMessage(number), expected: "an output that can be written"
  )
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

/// A line on standard error that shows the progress, if standard error is a terminal.
struct Progress: Sendable {
  let isShown = isatty(STDERR_FILENO) == 1

  func show(_ text: String) { if isShown { fputs("\r\u{1B}[K\(text)", stderr) } }

  func clear() { show("") }

  /// Shows how much of a picture has been searched, from 0 to 1, if that takes more than a second.
  func ofPicture() -> (Double) -> Void {
    let start = ContinuousClock.now
    return { share in
      if ContinuousClock.now - start > .seconds(1) {
        show("\(Int(100 * share)) % of the picture searched")
      }
    }
  }
}

/// A request to end the process, by Ctrl-C, `kill` or a closed terminal.
enum Interruption {
  private static let received = Atomic<Int32>(0)
  private static let isStopped = Atomic(false)

  /// From now on, the first signal is only recorded; a second one ends the process at once.
  static func beginNoting() {
    // Initialised before a handler may need it.
    received.store(0, ordering: .relaxed)
    // A process inherits blocked signals from the thread that starts it.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      signal(number) { number in
        Interruption.received.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
      sigaddset(&signals, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Whether the process was started with the signal ignored, as by `nohup`.
  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Whether work may continue: false after a signal or `stop()`.
  static var isGoingOn: Bool { signalNumber == nil && !isStopped.load(ordering: .relaxed) }

  /// Keeps further work from beginning, for example because the output cannot be written.
  static func stop() { isStopped.store(true, ordering: .relaxed) }

  static var signalNumber: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Does what waits for another program: an error after a signal, which ends that program, is the signal's.
  static func orElse<Result>(_ work: () throws -> Result) throws -> Result {
    do { return try work() } catch {
      try check()
      throw error
    }
  }

  /// Throws, after a signal, the status that a shell gives for a command that it has ended.
  static func check() throws {
    if let number = signalNumber { throw ExitCode(128 + number) }
  }
}
