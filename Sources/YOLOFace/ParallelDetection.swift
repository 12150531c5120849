import Dispatch
import Inference
import LibC

extension FaceDetector {
  /// Processes many elements, such as the paths of pictures, several at a time, and delivers the
  /// results in the order of the elements, each as soon as it and all before it are ready.
  ///
  /// ```swift
  /// try detector.forEach(paths, workers: 4) { path, detector in
  ///   try detector.detect(at: path)
  /// } deliver: { path, faces in
  ///   print(path, try faces.get().count)
  /// }
  /// ```
  ///
  /// Each worker is a thread, one of them the caller's, with a detector of its own that shares this
  /// one's network and has as many threads. The sequence is read as the work proceeds, by one
  /// worker at a time, so it may be endless or come from a pipe. However long it is, at most
  /// `workers` elements are in progress, and few results wait for an earlier one.
  ///
  /// - Parameters:
  ///   - elements: what to process, in the order of the results.
  ///   - workers: how many elements are processed at a time, clamped to 1 … 256; fewer where the
  ///     system grants fewer threads.
  ///   - work: turns an element into a result, with a detector that nobody else is using. An error
  ///     that it throws becomes that element's result.
  ///   - deliver: receives the next result, on any of the threads, one at a time. An error that it
  ///     throws ends the work.
  /// - Throws: what `deliver` throws.
  public func forEach<Elements: Sequence & Sendable, Output: Sendable>(
    _ elements: Elements, workers: Int,
    work: @escaping @Sendable (Elements.Element, FaceDetector) throws -> Output,
    deliver: @escaping @Sendable (Elements.Element, Result<Output, any Error>) throws -> Void
  ) throws where Elements.Element: Sendable {
    let queue = OrderedQueue(elements, window: 8 * max(1, min(workers, 256)), deliver)
    let threads = (1..<max(1, min(workers, 256))).compactMap { _ in
      // A detector takes time to make: only a thread that gets an element needs one.
      SystemThread { queue.serve(detector: { try another() }, work) }
    }
    queue.serve(detector: { self }, work)
    for thread in threads { thread.join() }
    try queue.rethrow()
  }

  /// The results of `forEach` as an asynchronous sequence.
  ///
  /// ```swift
  /// for await (path, faces) in detector.results(of: paths, workers: 4, work: { try $1.detect(at: $0) }) {
  ///   print(path, try faces.get().count)
  /// }
  /// ```
  ///
  /// The work begins with the iteration, on threads of its own, and waits where few results have been taken.
  /// Where the loop is left, or its task cancelled, elements in progress are finished and the others left.
  ///
  /// - Parameters:
  ///   - elements: what to process, in the order of the results.
  ///   - workers: how many elements are processed at a time, clamped to 1 … 256.
  ///   - work: turns an element into a result, with a detector that nobody else is using. An error
  ///     that it throws becomes that element's result.
  public func results<Elements: Sequence & Sendable, Output: Sendable>(
    of elements: Elements, workers: Int,
    work: @escaping @Sendable (Elements.Element, FaceDetector) throws -> Output
  ) -> ParallelResults<Elements.Element, Output> where Elements.Element: Sendable {
    ParallelResults { deliver in
      try? forEach(elements, workers: workers, work: work, deliver: deliver)
    }
  }
}

/// Elements and their results, in order; see `FaceDetector.results(of:workers:work:)`.
public struct ParallelResults<Input: Sendable, Output: Sendable>: AsyncSequence, Sendable {
  /// An element, and what became of it.
  public typealias Element = (Input, Result<Output, any Error>)

  fileprivate let forEach:
    @Sendable (@escaping @Sendable (Input, Result<Output, any Error>) throws -> Void) -> Void

  /// Begins the work.
  public func makeAsyncIterator() -> AsyncIterator {
    let (stream, continuation) = AsyncStream<Element>.makeStream()
    // How many more results may wait to be taken.
    let room = DispatchSemaphore(value: 0)
    for _ in 0..<8 { room.signal() }
    continuation.onTermination = { _ in room.signal() }
    let work: @Sendable () -> Void = {
      forEach { input, result in
        room.wait()
        if case .terminated = continuation.yield((input, result)) { throw CancellationError() }
      }
      continuation.finish()
    }
    if let thread = SystemThread(work) {
      thread.detach()
    } else {
      DispatchQueue.global().async(execute: work)
    }
    return AsyncIterator(results: stream.makeAsyncIterator(), room: room)
  }

  /// Takes the results as they come.
  public struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var results: AsyncStream<Element>.Iterator
    fileprivate let room: DispatchSemaphore

    /// The next result; nil at the end, or where the task is cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async -> Element? {
      defer { room.signal() }
      return await results.next(isolation: actor)
    }
  }
}

/// Elements on their way to the workers, and results on their way back into order.
private final class OrderedQueue<Elements: Sequence, Output: Sendable>: Sendable
where Elements.Element: Sendable {
  typealias Element = Elements.Element

  private struct Source {
    var elements: Elements.Iterator
    var taken = 0
    var isAtEnd = false
  }

  private struct Deliveries {
    var count = 0
    /// Results that wait for an earlier one, by the element's number.
    var waiting: [Int: (Element, Result<Output, any Error>)] = [:]
    var error: (any Error)?
  }

  private let deliver: @Sendable (Element, Result<Output, any Error>) throws -> Void
  private let source: SystemMutex<Source>
  private let deliveries = SystemMutex(Deliveries())
  /// Counts how many more elements may be started before the next delivery.
  private let window = DispatchSemaphore(value: 0)

  init(
    _ elements: Elements, window size: Int,
    _ deliver: @escaping @Sendable (Element, Result<Output, any Error>) throws -> Void
  ) where Elements: Sendable {
    source = SystemMutex(Source(elements: elements.makeIterator()))
    self.deliver = deliver
    for _ in 0..<size { window.signal() }
  }

  /// Processes elements until there are no more, with a detector that is made for the first.
  func serve(
    detector make: () throws -> FaceDetector, _ work: (Element, FaceDetector) throws -> Output
  ) {
    var detector: FaceDetector?
    while let (number, element) = next() {
      let result = Result {
        let own = try detector ?? make()
        detector = own
        return try work(element, own)
      }
      finish(number, element, result)
    }
  }

  /// The error that a delivery threw.
  func rethrow() throws {
    if let error = deliveries.withLock({ $0.error }) { throw error }
  }

  private func next() -> (number: Int, element: Element)? {
    window.wait()
    let next: (Int, Element)? = source.withLock { source in
      guard !source.isAtEnd, !hasFailed, let element = source.elements.next() else {
        source.isAtEnd = true
        return nil
      }
      source.taken += 1
      return (source.taken - 1, element)
    }
    // Another worker may be waiting for the end.
    if next == nil { window.signal() }
    return next
  }

  private var hasFailed: Bool { deliveries.withLock { $0.error != nil } }

  private func finish(_ number: Int, _ element: Element, _ result: Result<Output, any Error>) {
    deliveries.withLock { deliveries in
      deliveries.waiting[number] = (element, result)
      while let (element, result) = deliveries.waiting.removeValue(forKey: deliveries.count) {
        deliveries.count += 1
        window.signal()
        if deliveries.error != nil { continue }
        do { try deliver(element, result) } catch { deliveries.error = error }
      }
    }
  }
}
