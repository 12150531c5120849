import Foundation
import Synchronization
import TestSupport
import Testing
import YOLOFace

struct ParallelDetectionTests {
  private static let detector = Result { try FaceDetector() }

  private struct OddNumber: Error {}

  /// Counts calls of the work, the detectors they use, and how many run at once.
  private final class Log: Sendable {
    struct Entries {
      var started = 0
      var running = 0
      var mostRunning = 0
      var detectorsInUse: Set<ObjectIdentifier> = []
      var detectors: Set<ObjectIdentifier> = []
      var wasShared = false
    }
    let entries = Mutex(Entries())

    func during<Output>(_ detector: FaceDetector, _ work: () throws -> Output) rethrows -> Output {
      let identifier = ObjectIdentifier(detector.engine)
      entries.withLock {
        $0.started += 1
        $0.running += 1
        $0.mostRunning = max($0.mostRunning, $0.running)
        $0.detectors.insert(identifier)
        if !$0.detectorsInUse.insert(identifier).inserted { $0.wasShared = true }
      }
      defer {
        entries.withLock {
          $0.running -= 1
          $0.detectorsInUse.remove(identifier)
        }
      }
      return try work()
    }
  }

  /// Later elements finish sooner.
  @Test(arguments: [1, 2, 3, 8, 0, Int.min])
  func keepsTheOrderAndTheBounds(workers: Int) throws {
    let log = Log()
    let results = try Self.detector.get().results(of: Array(0..<20), workers: workers) {
      number, detector in
      try log.during(detector) {
        usleep(UInt32(20 - number) * 200)
        if number % 2 == 1 { throw OddNumber() }
        return 10 * number
      }
    }
    var taken: [Int] = []
    for (number, result) in results {
      #expect((try? result.get()) == (number % 2 == 1 ? nil : 10 * number))
      taken.append(number)
    }
    #expect(taken == Array(0..<20))
    let entries = log.entries.withLock { $0 }
    #expect(entries.started == 20)
    #expect(entries.mostRunning <= max(1, workers))
    #expect(entries.detectors.count <= max(1, workers))
    #expect(!entries.wasShared)
  }

  /// With two workers there are two at a time: each element waits for its partner.
  @Test func worksInParallel() throws {
    let arrived = Atomic(0)
    let results = try Self.detector.get().results(of: [0, 1], workers: 2) { _, _ in
      arrived.add(1, ordering: .relaxed)
      return wait { arrived.load(ordering: .relaxed) == 2 }
    }
    for (_, met) in results { try #expect(met.get()) }
  }

  /// The second element waits until the first is taken.
  @Test func deliversAsSoonAsPossible() throws {
    let taken = Atomic(0)
    let results = try Self.detector.get().results(of: [0, 1], workers: 2) { number, _ in
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
    let results = try Self.detector.get().results(of: 0..., workers: workers) { _, detector in
      log.during(detector) { usleep(100) }
    }
    for (number, _) in results where number == 1 { break }
    let entries = log.entries.withLock { $0 }
    #expect(entries.running == 0)
    #expect(workers == 1 ? entries.started == 2 : entries.started < 2 + 8 * workers + workers)
  }

  @Test func acceptsAnEmptyList() throws {
    let results = try Self.detector.get().results(of: [Int](), workers: 4) { _, _ in
      Issue.record("there is nothing to work on")
    }
    for _ in results { Issue.record("there is nothing to take") }
  }

  /// Pictures of several sizes, one of them truncated, against one detector that takes them one at
  /// a time.
  @Test(arguments: [1, 2, 5])
  func findsWhatOneDetectorFinds(workers: Int) throws {
    let detector = try Self.detector.get()
    let astronaut = try Picture.read(path: SharedData.astronaut)
    let files = try (0..<8).map { number in
      var picture = RGBImage(width: 500 - 40 * (number % 3), height: 400, fill: .black)
      picture.draw(astronaut, atX: -number, y: 0)
      return try PNG.encode(picture).dropLast(number == 3 ? 1000 : 0)
    }
    var options = DetectionOptions()
    options.letterbox = .longSide(320)
    options.scoreThreshold = 0.1
    let expected = files.map { file in
      Result { [options] in try detector.detect(in: Picture.decode(Array(file)), options: options) }
    }
    let found = detector.results(of: files, workers: workers) { [options] file, detector in
      try detector.detect(in: Picture.decode(Array(file)), options: options)
    }
    let results = Array(found).map(\.1)
    try #require(results.count == expected.count)
    for (result, expected) in zip(results, expected) {
      switch (result, expected) {
      case (.success(let faces), .success(let expected)):
        #expect(faces == expected)
        #expect(!faces.isEmpty)
      case (.failure(let error), .failure(let expected)):
        #expect(error as? PictureError == expected as? PictureError)
        #expect(error is PictureError)
      default:
        Issue.record("found \(result), expected \(expected)")
      }
    }
  }

  @Test func resultsCanBeAwaited() async throws {
    var squares: [Int?] = []
    for await (number, result) in try Self.detector.get().results(
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
    let results = try Self.detector.get().results(of: 0..., workers: 2) { number, _ in
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
    let clock = ContinuousClock()
    let end = clock.now + .seconds(10)
    while clock.now < end {
      if condition() { return true }
      usleep(100)
    }
    return false
  }
}
