import ArgumentParser
import FaceReport
import Formatting
import Synchronization
import YOLOFace

/// The pictures of a run, of which several are searched at a time; results are written in order.
final class Batch: Sendable {
  let pictures: PictureQueue
  /// The threads of each picture's search.
  let threads: Int
  let mayHaveSeveral: Bool
  /// The progress within the only picture; nil for several.
  let progressOfPicture: Progress?
  private let options: BatchOptions
  private let workers: Int
  private let tally: Mutex<Tally>

  /// What has become of a picture.
  private enum Outcome: Sendable {
    /// An earlier run has done it.
    case held(hasFailed: Bool)
    case found(entries: [String], result: PictureResult)
  }

  /// A picture failed, and `--fail-fast` was given.
  private struct FailedFast: Error {}

  /// Pictures are looked up only as far as they are searched; all searches together use these threads.
  init(_ pictures: PictureQueue, _ options: BatchOptions, threads: Int) {
    self.pictures = pictures
    self.options = options
    let most = options.jobs ?? threads
    let total = pictures.total(atMost: max(most, 1))
    // A list may be empty, and an interruption may leave no picture.
    workers = max(1, min(most, total ?? most))
    self.threads = max(1, threads / workers)
    mayHaveSeveral = total.map { $0 > 1 } ?? true
    let progress = options.quiet ? nil : Progress()
    progressOfPicture = total == 1 ? progress : nil
    tally = Mutex(Tally(pictures, progress))
  }

  /// Searches all pictures with a detector of `threads` threads, then prints a summary. Any thread may call
  /// `search` and `isDone`, which says whether an earlier run has done a picture.
  ///
  /// - Throws: `ExitCode` if a picture failed or the process was interrupted; `FileError` if the
  ///   results cannot be written; `OutputConflict` if an output is one of the pictures.
  func run(
    with detector: FaceDetector, to results: ResultWriter,
    search: @escaping @Sendable (PictureInput, FaceDetector) throws -> PictureResult,
    isDone: @escaping @Sendable (PictureInput) throws -> Bool = { $0.isHeld }
  ) throws {
    pictures.markHeld(results.held)
    let end = Result {
      try detector.forEach(pictures, workers: workers) { input, detector in
        if input.isHeld, results.holdsFailure(of: input) { return Outcome.held(hasFailed: true) }
        if let failure = input.failure { throw failure }
        try results.outputs.requireApart(from: input.identity)
        if try results.hasFile(for: input) || isDone(input) { return .held(hasFailed: false) }
        let result = try search(input, detector)
        return .found(entries: try results.write(result, for: input), result: result)
      } deliver: { input, outcome in
        do { try self.take(outcome, of: input, to: results) } catch {
          // Another thread may be waiting for the next name of a list.
          Interruption.stop()
          throw error
        }
      }
    }
    tally.withLock { $0.clear() }
    var isWhole = Interruption.signalNumber == nil
    if case .failure(let error) = end {
      guard error is FailedFast else { throw error }
      isWhole = false
    }
    try finish(results, isWhole: isWhole)
  }

  private func take(
    _ outcome: Result<Outcome, any Error>, of input: PictureInput, to results: ResultWriter
  ) throws {
    try tally.withLock { tally in
      switch outcome {
      case .success(.held(let hasFailed)): tally.addHeld(hasFailed: hasFailed)
      case .success(.found(let entries, let result)):
        if !entries.isEmpty {
          // The results and the progress may share a terminal.
          tally.clear()
          try results.append(entries)
        }
        tally.add(result)
      case .failure(let conflict as OutputConflict) where conflict.kind == .input: throw conflict
      case .failure(let error):
        tally.addFailure()
        printError("\(error)")
        try results.appendFailure(error, of: input)
        if options.failFast { throw FailedFast() }
      }
    }
  }

  private func finish(_ results: ResultWriter, isWhole: Bool) throws {
    let tally = tally.withLock { $0 }
    try results.end(isWhole: isWhole)
    if !options.quiet {
      let summary = tally.count > 1 || tally.held > 0 ? tally.summary : nil
      let others = [results.message, summary, tally.hint, tally.enlargement, tally.lossOfFrames]
      for message in results.outputs.messages + others.compactMap(\.self) { printError(message) }
    }
    if let message = pictures.others.message { printError(message) }
    if !isWhole, let rest = results.partialPath {
      let remedy = results.format.namesPictures ? "; --resume continues it" : ""
      printError("\(rest): incomplete\(remedy)")
    }
    try Interruption.check()
    if tally.failed > 0 { throw ExitCode.failure }
  }
}

/// Counts the pictures of a batch, measures its rate and shows its progress.
private struct Tally {
  private(set) var failed = 0
  private var searched = 0
  /// Pictures done by an earlier run.
  private(set) var held = 0
  private var faces = 0
  /// Pictures in which a larger input would probably show more faces, by what says so, and that input.
  private var hinted: [SearchHint.Reason: Int] = [:]
  private var longSide = 0
  /// How many pictures are enlarged because the user asked for it, and how many times at most.
  private var enlarged: (pictures: Int, most: Double) = (0, 1)
  /// How many pictures are animated and are written without their other frames.
  private var animated = 0
  private let pictures: PictureQueue
  private let progress: Progress?
  private let start = ContinuousClock.now
  private var nextShow = ContinuousClock.now
  /// The number of pictures that may be looked up to find out how many there are.
  private var horizon = 0

  init(_ pictures: PictureQueue, _ progress: Progress?) {
    self.pictures = pictures
    self.progress = progress
  }

  mutating func add(_ result: PictureResult) {
    searched += 1
    faces += result.faces.count
    animated += result.isAnimated ? 1 : 0
    if let enlargement = result.enlargement {
      enlarged = (enlarged.pictures + 1, max(enlarged.most, enlargement))
    }
    if let hint = result.hint {
      hinted[hint.reason, default: 0] += 1
      longSide = max(longSide, hint.longSide)
    }
    show()
  }

  mutating func addHeld(hasFailed: Bool) {
    if hasFailed { failed += 1 } else { held += 1 }
    show()
  }

  mutating func addFailure() {
    failed += 1
    clear()
  }

  var count: Int { searched + failed + held }

  func clear() { progress?.clear() }

  /// One line with the number of pictures, faces, and pictures per second.
  var summary: String {
    "\(counted(count, "picture")): \(searched) searched, \(counted(faces, "face"))"
      + (failed > 0 ? ", \(failed) failed" : "")
      + (held > 0 ? ", \(held) done before" : "")
      + ", \(fixed(elapsed, decimals: 1)) s, \(fixed(rate, decimals: 1)) pictures/s"
  }

  /// What to try if faces were probably missed; nil otherwise.
  var hint: String? {
    func pictures(_ reason: SearchHint.Reason, _ one: String, _ many: String) -> String? {
      hinted[reason].map { $0 == 1 ? "1 picture \(one)" : "\($0) pictures \(many)" }
    }
    let said = [
      pictures(
        .manyAreSmall, "has many faces near the smallest size that is found",
        "have many faces near the smallest size that is found"),
      pictures(
        .isMuchShrunk, "is shrunk to less than a sixth, so that small faces may be missed",
        "are shrunk to less than a sixth, so that small faces may be missed"),
    ].compactMap(\.self)
    return said.isEmpty
      ? nil : said.joined(separator: "; ") + "; --long-side \(longSide) or --thorough may find more"
  }

  /// That pictures are enlarged, and what that does; nil where none is.
  var enlargement: String? {
    guard enlarged.pictures > 0 else { return nil }
    func whole(_ number: Double) -> Int { Int(number.rounded(.up)) }
    return "--long-side enlarges \(counted(enlarged.pictures, "picture")), up to "
      + "\(whole(enlarged.most)) times: that shows no more detail, and takes up to "
      + "\(whole(enlarged.most * enlarged.most)) times as long"
  }

  /// That animated pictures lose frames, and what keeps them; nil where there is none.
  var lossOfFrames: String? {
    guard animated > 0 else { return nil }
    return "\(counted(animated, "animated picture")): only the first frame is written; "
      + "given alone, with a film as --output, all are"
  }

  private var elapsed: Double { (ContinuousClock.now - start) / .seconds(1) }

  private var rate: Double { Double(searched + failed) / max(elapsed, 1e-9) }

  private mutating func show() {
    guard let progress, progress.isShown, ContinuousClock.now >= nextShow else { return }
    nextShow = ContinuousClock.now + .milliseconds(100)
    // A few at a time, so that no result waits while a large tree is walked.
    horizon += 1000
    guard let total = pictures.total(atMost: horizon) else {
      return progress.show("\(counted(count, "picture")), \(fixed(rate, decimals: 1))/s")
    }
    let left = rate > 0 ? Double(total - count) / rate : 0
    progress.show(
      "\(count) of \(total) pictures, \(fixed(rate, decimals: 1))/s, \(duration(left)) left")
  }
}

/// A duration in readable units: 2 h 5 min, 3 min 20 s, 12 s.
func duration(_ seconds: Double) -> String {
  let seconds = Int(min(max(seconds, 0), 1e9).rounded())
  let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
  if hours > 0 { return "\(hours) h \(minutes) min" }
  return minutes > 0 ? "\(minutes) min \(seconds % 60) s" : "\(seconds) s"
}

struct BatchOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The number of pictures decoded, searched and written at the same time; they share the threads. \
      By default the same as --threads.
      """, valueName: "number"))
  var jobs: Int?

  @Flag(help: "Stop at the first picture that cannot be read.")
  var failFast = false

  @Flag(help: "Print no progress and no summary to standard error.")
  var quiet = false

  func validate() throws {
    try requireNumber("--jobs", jobs, in: threadCounts)
  }
}
