// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing
import YOLOFace

struct ParallelDetectionTests {
  private struct OddNumber: Error {}

  /// Counts calls of the work, the detectors they use, and how many run at once.
  private final class Log: Sendable {
    struct Entries {
      var started = 0
      var mostRunning = 0
      var inUse: Set<ObjectIdentifier> = []
      var detectors: Set<ObjectIdentifier> = []
      var wasShared = false
    }
    let entries = Mutex(Entries())

    func during<Output>(_ detector: FaceDetector, _ work: () throws -> Output) rethrows -> Output {
      let identifier = ObjectIdentifier(detector.engine)
      entries.withLock {
        $0.started += 1
        $0.detectors.insert(identifier)
        if !$0.inUse.insert(identifier).inserted { $0.wasShared = true }
        $0.mostRunning = max($0.mostRunning, $0.inUse.count)
      }
      defer { _ = entries.withLock { $0.inUse.remove(identifier) } }
      return try work()
    }
  }

  /// Later elements finish sooner.
  @Test(arguments: [1, 2, 3, 8, 0, Int.min], [20, 0])
  func keepsTheOrderAndTheBounds(workers: Int, count: Int) throws {
    let log = Log()
    let results = detector.results(of: Array(0..<count), workers: workers) {
      number, detector in
      try log.during(detector) {
        usleep(UInt32(20 - number) * 200)
        if number % 2 == 1 { throw OddNumber() }
        return 10 * number
      }
    }
    let taken = Array(results)
    #expect(taken.map(\.0) == Array(0..<count))
    #expect(taken.map { try? $1.get() } == (0..<count).map { $0 % 2 == 1 ? nil : 10 * $0 })
    let entries = log.entries.withLock { $0 }
    #expect(entries.started == count && !entries.wasShared)
    #expect(max(entries.mostRunning, entries.detectors.count) <= max(1, workers))
  }

  /// With two workers there are two at a time: each element waits for its partner.
  @Test func worksInParallel() throws {
    let arrived = Atomic(0)
    let results = detector.results(of: [0, 1], workers: 2) { _, _ in
      arrived.add(1, ordering: .relaxed)
      return wait { arrived.load(ordering: .relaxed) == 2 }
    }
    for (_, met) in results { try #expect(met.get()) }
  }

  /// The second element waits until the first is taken.
  @Test func deliversAsSoonAsPossible() throws {
    let taken = Atomic(0)
    let results = detector.results(of: [0, 1], workers: 2) { number, _ in
      number == 0 || wait { taken.load(ordering: .relaxed) == 1 }
    }
    for (_, wasInTime) in results {
      try #expect(wasInTime.get())
      taken.add(1, ordering: .relaxed)
    }
  }

  /// A single worker begins no element before the result of the last is taken.
  @Test(arguments: [1, 3])
  func stopsWhenTheLoopIsLeft(workers: Int) throws {
    let log = Log()
    let results = detector.results(of: 0..., workers: workers) { _, detector in
      log.during(detector) { usleep(100) }
    }
    for (number, _) in results where number == 1 { break }
    let entries = log.entries.withLock { $0 }
    #expect(entries.inUse.isEmpty)
    #expect(workers == 1 ? entries.started == 2 : entries.started < 2 + 8 * workers + workers)
  }

  /// Pictures of several sizes, one of them truncated, against one detector that takes them one at
  /// a time.
  @Test(arguments: [1, 2, 5])
  func findsWhatOneDetectorFinds(workers: Int) throws {
    let files = try (0..<8).map { number in
      var picture = RGBImage(width: 500 - 40 * (number % 3), height: 400, fill: .black)
      picture.draw(photo, atX: -number, y: 0)
      return try PNG.encode(picture).dropLast(number == 3 ? 1000 : 0)
    }
    let options = DetectionOptions { ($0.letterbox, $0.scoreThreshold) = (.longSide(320), 0.1) }
    let found = Array(
      detector.results(of: files, workers: workers) { file, detector in
        try detector.detect(in: Picture.decode(Array(file)), options: options)
      })
    try #require(found.count == files.count)
    for (number, (file, result)) in found.enumerated() {
      if number == 3 {
        #expect(throws: PictureError.self) { try result.get() }
      } else {
        let expected = try detector.detect(in: Picture.decode(Array(file)), options: options)
        #expect(try result.get() == expected && !expected.isEmpty)
      }
    }
  }

  @Test func resultsCanBeAwaited() async throws {
    var squares: [Int?] = []
    for await (number, result) in detector.results(
      of: Array(0..<40), workers: 3,
      work: { number, _ in
        if number % 4 == 1 { throw OddNumber() }
        return number * number
      })
    {
      #expect(number == squares.count)
      squares.append(try? result.get())
    }
    #expect(squares == (0..<40).map { $0 % 4 == 1 ? nil : $0 * $0 })
  }

  /// A loop that is left, and a task that is cancelled, end work on an endless sequence; a slow loop holds it up.
  @Test(arguments: [false, true])
  func workEndsWithTheLoop(byCancelling: Bool) async throws {
    let started = Atomic(0)
    let results = detector.results(of: 0..., workers: 2) { number, _ in
      started.add(1, ordering: .relaxed)
      return number
    }
    let loop = Task {
      for await (number, _) in results {
        if number < 20 { continue }
        if !byCancelling { break }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    await loop.value
    var (last, count) = (-1, started.load(ordering: .relaxed))
    while last != count {
      try await Task.sleep(for: .milliseconds(50))
      (last, count) = (count, started.load(ordering: .relaxed))
    }
    #expect(
      (21..<21 + 8 + 16 + 2 + 1).contains(count), "the results that may wait, and those in progress"
    )
  }

  /// Whether a condition becomes true within ten seconds.
  private func wait(until condition: () -> Bool) -> Bool {
    let end = ContinuousClock.now + .seconds(10)
    while .now < end {
      if condition() { return true }
      usleep(100)
    }
    return false
  }
}
