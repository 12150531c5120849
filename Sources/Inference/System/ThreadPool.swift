// SPDX-License-Identifier: Apache-2.0
import Synchronization
import YOLOFaceLibC

/// A fixed number of threads, including the caller's, that run the same function at the same time.
///
/// Between runs the others sleep; during a run they synchronise by spinning, since a step takes
/// less time than a wake-up. The owner starts one run at a time. In a child of fork(), which has none of the other
/// threads, the caller's runs alone; one that was in a run at the fork leaves the run's memory and locks as they were.
final class ThreadPool: Sendable {
  let count: Int
  private let state: State
  private let threads: [SystemThread]
  private let process = getpid()

  /// Starts the threads, 256 at most, or as many as the system allows.
  init(count: Int) {
    let count = min(max(count, 1), 256)
    let state = State()
    var threads: [SystemThread] = []
    for index in 1..<count {
      guard let thread = SystemThread({ state.serve(index) }) else { break }
      threads.append(thread)
    }
    self.state = state
    self.threads = threads
    self.count = threads.count + 1
  }

  deinit {
    guard process == getpid() else { return }
    state.end()
    for thread in threads { thread.join() }
  }

  /// Runs a function once on every thread, with the thread's number, and returns when all are done.
  ///
  /// The other threads may hold the function for a moment after the call returns.
  func run(_ function: @escaping @Sendable (Int) -> Void) {
    state.count = count > 1 && process == getpid() ? count : 1
    guard state.count > 1 else { return function(0) }
    state.start(function)
    function(0)
    state.waitForOthers()
  }

  /// Waits until all threads of a run have arrived.
  func meet() {
    if state.count > 1 { state.meet() }
  }

  /// What the threads share; they keep it alive, so that the pool itself can be deallocated.
  private final class State: @unchecked Sendable {
    /// The threads of a run, which all others see from its start on.
    var count = 1
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wakeUp = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    // Not optional: an optional function is stored behind a thunk, an allocation each time.
    private var work: @Sendable (Int) -> Void = { _ in }
    private var generation = 0
    private var isEnding = false
    private let running = Atomic<Int>(0)
    private let arrived = Atomic<Int>(0)
    private let phase = Atomic<Int>(0)

    init() {
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(wakeUp, nil)
    }

    deinit {
      pthread_cond_destroy(wakeUp)
      pthread_mutex_destroy(mutex)
      wakeUp.deallocate()
      mutex.deallocate()
    }

    func start(_ function: @escaping @Sendable (Int) -> Void) {
      running.store(count - 1, ordering: .relaxed)
      pthread_mutex_lock(mutex)
      work = function
      generation += 1
      pthread_cond_broadcast(wakeUp)
      pthread_mutex_unlock(mutex)
    }

    func waitForOthers() {
      spin { running.load(ordering: .acquiring) > 0 }
    }

    func end() {
      pthread_mutex_lock(mutex)
      isEnding = true
      pthread_cond_broadcast(wakeUp)
      pthread_mutex_unlock(mutex)
    }

    /// What a thread does until the pool ends.
    func serve(_ index: Int) {
      var seen = 0
      while true {
        pthread_mutex_lock(mutex)
        while generation == seen && !isEnding { pthread_cond_wait(wakeUp, mutex) }
        let function = work
        seen = generation
        let isEnding = isEnding
        pthread_mutex_unlock(mutex)
        if isEnding { return }
        function(index)
        running.subtract(1, ordering: .acquiringAndReleasing)
      }
    }

    func meet() {
      let current = phase.load(ordering: .relaxed)
      if arrived.add(1, ordering: .acquiringAndReleasing).newValue == count {
        arrived.store(0, ordering: .relaxed)
        phase.store(current &+ 1, ordering: .releasing)
      } else {
        spin { phase.load(ordering: .acquiring) == current }
      }
    }

    /// Spins, and yields the processor where others may need it to make progress.
    private func spin(while isWaiting: () -> Bool) {
      var turns = 0
      while isWaiting() {
        turns += 1
        if turns > 4000 { sched_yield() }
      }
    }
  }
}
