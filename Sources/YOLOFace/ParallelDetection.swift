import Inference
import Synchronization

extension FaceDetector {
  /// Works on many elements, such as the paths of pictures, several at a time, and hands the results
  /// over in the order of the elements, each as soon as it and all before it are there.
  ///
  /// ```swift
  /// try detector.forEach(paths, workers: 4) { path, detector in
  ///   try detector.detect(in: try PNG.read(path: path))
  /// } deliver: { path, faces in
  ///   print(path, try faces.get().count)
  /// }
  /// ```
  ///
  /// Each worker is a thread, the caller's being one, with a detector of its own that shares this
  /// one's network and has as many threads. At most `workers` pictures are in memory at a time,
  /// however many there are; only results wait for those before them.
  ///
  /// - Parameters:
  ///   - elements: what to work on, in the order of the results.
  ///   - workers: how many elements are worked on at a time, below 1 counts as 1; fewer where the
  ///     system grants fewer threads.
  ///   - work: makes a result of an element, with a detector that nobody else uses meanwhile. What
  ///     it throws is that element's result.
  ///   - deliver: takes the next result, on any of the threads, one at a time. What it throws ends
  ///     the work.
  /// - Throws: what `deliver` throws.
  public func forEach<Element: Sendable, Output: Sendable>(
    _ elements: [Element], workers: Int,
    work: @escaping @Sendable (Element, FaceDetector) throws -> Output,
    deliver: @escaping @Sendable (Element, Result<Output, any Error>) throws -> Void
  ) throws {
    let others = try (1..<max(1, min(workers, elements.count))).map { _ in try another() }
    let queue = OrderedQueue(elements, deliver)
    let threads = others.compactMap { detector in
      SystemThread { queue.serve { try work($0, detector) } }
    }
    queue.serve { try work($0, self) }
    for thread in threads { thread.join() }
    try queue.rethrow()
  }
}

/// Elements on their way to the workers, and results on their way back into order.
private final class OrderedQueue<Element: Sendable, Output: Sendable>: Sendable {
  private struct State {
    var started = 0
    var delivered = 0
    /// Results that wait for one before them, by the element's number.
    var waiting: [Int: Result<Output, any Error>] = [:]
    var deliveryError: (any Error)?
  }

  private let elements: [Element]
  private let deliver: @Sendable (Element, Result<Output, any Error>) throws -> Void
  private let state = Mutex(State())

  init(
    _ elements: [Element],
    _ deliver: @escaping @Sendable (Element, Result<Output, any Error>) throws -> Void
  ) {
    self.elements = elements
    self.deliver = deliver
  }

  /// Works as long as there is anything to start.
  func serve(_ work: (Element) throws -> Output) {
    while let number = start() {
      finish(number, Result { try work(elements[number]) })
    }
  }

  /// What a delivery threw.
  func rethrow() throws {
    if let error = state.withLock({ $0.deliveryError }) { throw error }
  }

  private func start() -> Int? {
    state.withLock { state in
      guard state.started < elements.count, state.deliveryError == nil else { return nil }
      state.started += 1
      return state.started - 1
    }
  }

  private func finish(_ number: Int, _ result: Result<Output, any Error>) {
    state.withLock { state in
      state.waiting[number] = result
      while state.deliveryError == nil,
        let result = state.waiting.removeValue(forKey: state.delivered)
      {
        do { try deliver(elements[state.delivered], result) } catch { state.deliveryError = error }
        state.delivered += 1
      }
    }
  }
}
