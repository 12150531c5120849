// SPDX-License-Identifier: Apache-2.0
import NIOPosix
import Synchronization
import YOLOFace

/// Detectors on their own threads, so that a search blocks neither the event loops nor Swift's
/// tasks.
final class DetectorPool: Sendable {
  /// A request's right to a body in memory and to a search. It is given back at the latest when it
  /// is no longer referenced.
  final class Slot: Sendable {
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
    /// One for each thread without work.
    var idle: [FaceDetector]
  }

  /// What the detectors' inputs may be.
  let letterbox: Letterbox.Style
  private let slots: Int
  private let state: Mutex<State>
  private let threads: NIOThreadPool

  /// Starts the threads.
  ///
  /// - Parameters:
  ///   - threads: the number of pictures searched at a time.
  ///   - queue: the number of requests that may wait.
  ///   - makeDetector: makes the detector of a thread.
  /// - Throws: what `makeDetector` throws.
  init(
    threads: Int, queue: Int, makeDetector: () throws -> FaceDetector = { try FaceDetector() }
  ) throws {
    slots = threads + queue
    let detectors = try (0..<threads).map { _ in try makeDetector() }
    letterbox = detectors[0].recipe.letterbox
    state = Mutex(State(idle: detectors))
    self.threads = NIOThreadPool(numberOfThreads: threads)
    self.threads.start()
  }

  /// A slot; nil if all are taken.
  func takeSlot() -> Slot? {
    let isFree = state.withLock { state in
      guard state.taken < slots else { return false }
      state.taken += 1
      return true
    }
    return isFree ? Slot(self) : nil
  }

  /// Runs work with exclusive use of a detector.
  ///
  /// Work that has begun cannot be stopped: if it takes too long, its thread and its slot stay
  /// taken until it is done.
  ///
  /// - Throws: what the work throws; `Refusal` if it waits or takes longer than `time`.
  func run<Output: Sendable>(
    in slot: Slot, within time: Duration,
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
        // Before the answer, since the client may then send its next request.
        slot.giveBack()
        turn.end(with: result)
      }
    }
  }

  private func withDetector<Output>(_ body: (FaceDetector) -> Output) -> Output {
    // There is one for each thread.
    let detector = state.withLock { $0.idle.removeLast() }
    defer { state.withLock { $0.idle.append(detector) } }
    return body(detector)
  }

  /// Ends the threads, each after its work, without waiting for them: when the server ends, their
  /// results are no longer needed.
  func shutDown() {
    threads.shutdownGracefully { _ in }
  }
}

/// A request that is waiting or being searched. The first answer counts; later ones are dropped.
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

  /// False if the request has already been answered.
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
