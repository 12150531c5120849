import Dispatch
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
  /// one's network and has as many threads. The sequence is read as work goes on, by one worker at a
  /// time, so that it may be endless or come from a pipe. However many elements there are, at most
  /// `workers` are worked on, and few results wait for one before them.
  ///
  /// - Parameters:
  ///   - elements: what to work on, in the order of the results.
  ///   - workers: how many elements are worked on at a time, from 1 to 256, to which other numbers are
  ///     brought; fewer where the system grants fewer threads.
  ///   - work: makes a result of an element, with a detector that nobody else uses meanwhile. What
  ///     it throws is that element's result.
  ///   - deliver: takes the next result, on any of the threads, one at a time. What it throws ends
  ///     the work.
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
    /// Results that wait for one before them, by the element's number.
    var waiting: [Int: (Element, Result<Output, any Error>)] = [:]
    var error: (any Error)?
  }

  private let deliver: @Sendable (Element, Result<Output, any Error>) throws -> Void
  private let source: Mutex<Source>
  private let deliveries = Mutex(Deliveries())
  /// Counts how many more elements may be started before the next delivery.
  private let window = DispatchSemaphore(value: 0)

  init(
    _ elements: Elements, window size: Int,
    _ deliver: @escaping @Sendable (Element, Result<Output, any Error>) throws -> Void
  ) where Elements: Sendable {
    source = Mutex(Source(elements: elements.makeIterator()))
    self.deliver = deliver
    for _ in 0..<size { window.signal() }
  }

  /// Works as long as there is anything to start, with a detector that is made for the first.
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

  /// What a delivery threw.
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
    // Another worker may wait to hear of the end.
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
