import LibC
import Synchronization

/// The wish that the process end, from Ctrl-C or `kill`.
enum Interruption {
  private static let received = Atomic<Int32>(0)
  private static let isStopped = Atomic(false)

  /// From now on, the first signal is only noted; a second one ends the process at once.
  static func beginNoting() {
    // Made before a handler may need it.
    received.store(0, ordering: .relaxed)
    // Whoever starts the process from a thread that takes no signals hands that on.
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

  /// Whether whoever started the process wants it to go on, as `nohup` does.
  private static func isIgnored(_ number: Int32) -> Bool {
    let handler = unsafeBitCast(signal(number, SIG_IGN), to: Int.self)
    return handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Whether anything more is wanted; not after a signal, nor after `stop()`.
  static var isGoingOn: Bool {
    signalNumber == nil && !isStopped.load(ordering: .relaxed)
  }

  /// Lets nothing more begin, as where the output takes no more.
  static func stop() { isStopped.store(true, ordering: .relaxed) }

  /// The signal that came.
  static var signalNumber: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }
}
