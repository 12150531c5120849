// SPDX-License-Identifier: Apache-2.0
import Dispatch
import YOLOFaceInference
import YOLOFaceLibC

extension FaceDetector {
  /// Processes many elements, such as the paths of pictures, several at a time. The results come in the order of
  /// the elements, each as soon as it and all before it are ready.
  ///
  /// ```swift
  /// for (path, faces) in detector.results(of: paths, workers: 4, work: { try $1.detect(at: $0) }) {
  ///   print(path, try faces.get().count)
  /// }
  /// ```
  ///
  /// `for await` leaves the caller's thread free meanwhile.
  ///
  /// The work begins with the loop. Each worker is a thread, a single one the caller's, with a detector of its own
  /// that shares this one's network and has as many threads. The sequence is read as the work proceeds, by one worker
  /// at a time, so it may be endless or come from a pipe. However long it is, at most `workers` elements are in
  /// progress, and few results wait to be taken. Where the loop is left, or its task cancelled, elements in progress
  /// are finished and the others left.
  ///
  /// - Parameters:
  ///   - elements: what to process, in the order of the results.
  ///   - workers: how many elements are processed at a time, clamped to 1 … 256; fewer where the
  ///     system grants fewer threads.
  ///   - work: turns an element into a result, with a detector that nobody else is using. An error
  ///     that it throws becomes that element's result.
  public func results<Elements: Sequence & Sendable, Output: Sendable>(
    of elements: Elements, workers: Int,
    work: @escaping @Sendable (Elements.Element, FaceDetector) throws -> Output
  ) -> ParallelResults<Elements.Element, Output> where Elements.Element: Sendable {
    ParallelResults { Workers(max(1, min(workers, 256)), on: elements, with: self, work) }
  }
}

/// Elements and their results, in order; see `FaceDetector.results(of:workers:work:)`.
public struct ParallelResults<Input: Sendable, Output: Sendable>: Sequence, AsyncSequence, Sendable
{
  /// An element, and what became of it.
  public typealias Element = (Input, Result<Output, any Error>)

  fileprivate let begin: @Sendable () -> Workers<Input, Output>

  /// Begins the work.
  public func makeIterator() -> Iterator { Iterator(workers: begin()) }

  /// Waits for the results.
  public struct Iterator: IteratorProtocol {
    fileprivate let workers: Workers<Input, Output>

    /// The next result; nil at the end.
    public mutating func next() -> Element? { workers.next() }
  }

  /// Begins the work, on threads of its own.
  public func makeAsyncIterator() -> AsyncIterator {
    let (stream, continuation) = AsyncStream<Element>.makeStream()
    // How many more results may wait to be taken.
    let room = DispatchSemaphore(value: 0)
    for _ in 0..<8 { room.signal() }
    continuation.onTermination = { _ in room.signal() }
    let work: @Sendable () -> Void = {
      for result in self {
        room.wait()
        if case .terminated = continuation.yield(result) { break }
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

/// The threads that process elements; a single worker is the thread that asks for results. They end with the last
/// reference.
private final class Workers<Input: Sendable, Output: Sendable>: Sendable {
  private let queue: OrderedQueue<Input, Output>
  private let detector: FaceDetector
  private let threads: [SystemThread]

  init<Elements: Sequence & Sendable>(
    _ count: Int, on elements: Elements, with detector: FaceDetector,
    _ work: @escaping @Sendable (Input, FaceDetector) throws -> Output
  ) where Elements.Element == Input {
    let threadCount = count == 1 ? 0 : count
    let queue = OrderedQueue(elements, window: 8 * count, servers: threadCount, work)
    threads = (0..<threadCount).compactMap { number in
      let thread = SystemThread {
        // A detector takes time to make: only a thread that gets an element needs one.
        var own: FaceDetector?
        while queue.serve({
          let made = try own ?? (number == 0 ? detector : detector.copy())
          own = made
          return made
        }) {}
        queue.leave()
      }
      if thread == nil { queue.leave() }
      return thread
    }
    self.queue = queue
    self.detector = detector
  }

  deinit {
    queue.stop()
    for thread in threads { thread.join() }
  }

  /// The next result; nil at the end.
  func next() -> ParallelResults<Input, Output>.Element? {
    if threads.isEmpty { _ = queue.serve { detector } }
    return queue.next()
  }
}

/// Elements on their way to the workers, and results on their way back into order.
private final class OrderedQueue<Input: Sendable, Output: Sendable>: Sendable {
  private struct Source {
    var elements: AnyIterator<Input>
    var taken = 0
    var isAtEnd = false
  }

  private struct Results {
    /// Those that nobody has taken, by the element's number.
    var waiting: [Int: (Input, Result<Output, any Error>)] = [:]
    var taken = 0
    /// The threads that may add to them.
    var servers: Int
    var isStopped = false
  }

  private let work: @Sendable (Input, FaceDetector) throws -> Output
  private let source: SystemMutex<Source>
  private let results: SystemMutex<Results>
  /// Counts how many more elements may be started before the next result is taken.
  private let window = DispatchSemaphore(value: 0)
  private let hasChanged = DispatchSemaphore(value: 0)

  init<Elements: Sequence & Sendable>(
    _ elements: Elements, window size: Int, servers: Int,
    _ work: @escaping @Sendable (Input, FaceDetector) throws -> Output
  ) where Elements.Element == Input {
    source = SystemMutex(Source(elements: AnyIterator(elements.makeIterator())))
    results = SystemMutex(Results(servers: servers))
    self.work = work
    for _ in 0..<size { window.signal() }
  }

  /// Processes the next element; false where there are no more.
  func serve(_ detector: () throws -> FaceDetector) -> Bool {
    guard let (number, element) = nextElement() else { return false }
    let result = Result { try work(element, detector()) }
    results.withLock { $0.waiting[number] = (element, result) }
    hasChanged.signal()
    return true
  }

  private func nextElement() -> (number: Int, element: Input)? {
    window.wait()
    let next: (Int, Input)? = source.withLock { source in
      guard !source.isAtEnd, !results.withLock({ $0.isStopped }),
        let element = source.elements.next()
      else {
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

  /// Says that a thread serves no more.
  func leave() {
    results.withLock { $0.servers -= 1 }
    hasChanged.signal()
  }

  /// Waits for the next result in the elements' order; nil once there are no more.
  func next() -> (Input, Result<Output, any Error>)? {
    while true {
      let (result, isOver) = results.withLock { results in
        let result = results.waiting.removeValue(forKey: results.taken)
        if result != nil { results.taken += 1 }
        return (result, results.servers == 0)
      }
      if result != nil { window.signal() }
      if result != nil || isOver { return result }
      hasChanged.wait()
    }
  }

  /// Leaves the elements that nobody has begun.
  func stop() {
    results.withLock { $0.isStopped = true }
    window.signal()
  }
}
