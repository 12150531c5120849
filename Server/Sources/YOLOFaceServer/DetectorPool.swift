import NIOPosix
import Synchronization
import YOLOFace

/// Detectors on threads of their own, so that a search blocks neither the event loops nor Swift's
/// tasks.
final class DetectorPool: Sendable {
  /// A request's right to a body in memory and to a turn; given back at the latest when nobody holds
  /// it any more.
  final class Place: Sendable {
    private let pool: DetectorPool
    private let isGivenBack = Atomic(false)

    fileprivate init(_ pool: DetectorPool) { self.pool = pool }

    deinit { giveBack() }

    func giveBack() {
      guard !isGivenBack.exchange(true, ordering: .relaxed) else { return }
      pool.state.withLock { $0.taken -= 1 }
    }
  }

  private struct State {
    var taken = 0
    /// As many as threads that have no work.
    var idle: [FaceDetector]
  }

  private let places: Int
  private let state: Mutex<State>
  private let threads: NIOThreadPool

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - threads: how many pictures are searched at a time.
  ///   - queue: how many requests may wait.
  /// - Throws: `InferenceError` where the environment asks for an instruction set that is not available.
  init(threads: Int, queue: Int) throws {
    places = threads + queue
    let detectors = try (0..<threads).map { _ in try FaceDetector(threads: 1) }
    state = Mutex(State(idle: detectors))
    self.threads = NIOThreadPool(numberOfThreads: threads)
    self.threads.start()
  }

  /// A place, or nil where all are taken.
  func takePlace() -> Place? {
    let isFree = state.withLock { state in
      guard state.taken < places else { return false }
      state.taken += 1
      return true
    }
    return isFree ? Place(self) : nil
  }

  /// Runs work with exclusive use of a detector.
  ///
  /// Work that has begun cannot be stopped: where it takes too long, its thread and its place stay
  /// taken until it is done.
  ///
  /// - Throws: what the work throws; `Refusal` where it waits or takes longer than `time`.
  func run<Output: Sendable>(
    in place: Place, within time: Duration,
    _ work: @escaping @Sendable (FaceDetector) throws -> Output
  ) async throws -> Output {
    try await withCheckedThrowingContinuation { continuation in
      let turn = Turn(continuation)
      let alarm = Task {
        try await Task.sleep(for: time)
        turn.giveUp()
      }
      threads.submit { [self] state in
        defer { alarm.cancel() }
        guard state == .active, turn.begin() else { return turn.giveUp() }
        let result = withDetector { detector in Result { try work(detector) } }
        // Before the answer, upon which the next request may come.
        place.giveBack()
        turn.end(with: result)
      }
    }
  }

  private func withDetector<Output>(_ body: (FaceDetector) -> Output) -> Output {
    // There are as many as threads.
    let detector = state.withLock { $0.idle.removeLast() }
    defer { state.withLock { $0.idle.append(detector) } }
    return body(detector)
  }

  /// Ends the threads, each once its work is done, and does not wait for them: at the end of the
  /// server, what they still do is for nobody.
  func shutDown() {
    threads.shutdownGracefully { _ in }
  }
}

/// A request that waits for its turn or has it. The first to answer it does; what comes later is
/// dropped.
private final class Turn<Output: Sendable>: Sendable {
  private enum State {
    case waiting(CheckedContinuation<Output, any Error>)
    case running(CheckedContinuation<Output, any Error>)
    case answered
  }

  private let state: Mutex<State>

  init(_ continuation: CheckedContinuation<Output, any Error>) {
    state = Mutex(.waiting(continuation))
  }

  /// False where nobody waits for it any more.
  func begin() -> Bool {
    state.withLock { state in
      guard case .waiting(let continuation) = state else { return false }
      state = .running(continuation)
      return true
    }
  }

  func end(with result: Result<Output, any Error>) {
    switch takeState() {
    case .waiting(let continuation), .running(let continuation): continuation.resume(with: result)
    case .answered: break
    }
  }

  func giveUp() {
    switch takeState() {
    case .waiting(let continuation):
      continuation.resume(throwing: Refusal.overloaded("the picture waited too long for its turn"))
    case .running(let continuation):
      continuation.resume(
        throwing: Refusal(.gatewayTimeout, "the picture takes too long to search"))
    case .answered: break
    }
  }

  private func takeState() -> State {
    state.withLock { state in
      defer { state = .answered }
      return state
    }
  }
}
