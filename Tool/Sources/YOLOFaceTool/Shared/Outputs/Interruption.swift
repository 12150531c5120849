// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Synchronization
@preconcurrency import YOLOFaceLibC

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
