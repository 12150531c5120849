import ArgumentParser
import FaceReport
import Files
import Formatting
import Synchronization
import YOLOFace

/// Pictures, each told whether an earlier run's results hold it. The results hold a picture as often as it was
/// done, and its first mentions count, whatever thread takes them.
private struct HeldPictures: Sequence, Sendable {
  let source: PictureSource
  let output: ReportOutput

  func makeIterator() -> AnyIterator<PictureInput> {
    var pictures = source.makeIterator()
    return AnyIterator {
      guard var input = pictures.next() else { return nil }
      input.isHeld = output.takeHeld(input)
      return input
    }
  }
}

/// Searches several pictures at a time and writes their results in order.
final class DetectionBatch: Sendable {
  /// The result for a picture.
  private enum Outcome: Sendable {
    /// It was done by an earlier run.
    case held(hasFailed: Bool)
    case found(entries: [String], faces: Int, promisingLongSide: Int?)
  }

  /// A picture failed, and `--fail-fast` was given.
  private struct FailedFast: Error {}

  private let options: BatchOptions
  private let output: ReportOutput
  private let outputs: Outputs
  private let tally: Mutex<BatchTally>
  private let search: @Sendable (PictureInput, FaceDetector) throws -> PictureResult
  private let isDone: @Sendable (PictureInput) throws -> Bool

  /// - Parameters:
  ///   - options: whether the batch stops at a failure, and what it prints.
  ///   - output: receives the results.
  ///   - outputs: all that the run writes; none of it may be a picture of the batch.
  ///   - tally: counts the pictures.
  ///   - search: searches a picture; any thread may call it.
  ///   - isDone: whether an earlier run has done a picture; told whether the output holds it.
  init(
    _ options: BatchOptions, output: ReportOutput, outputs: Outputs, tally: BatchTally,
    search: @escaping @Sendable (PictureInput, FaceDetector) throws -> PictureResult,
    isDone: @escaping @Sendable (PictureInput) throws -> Bool = { $0.isHeld }
  ) {
    self.options = options
    self.output = output
    self.outputs = outputs
    self.tally = Mutex(tally)
    self.search = search
    self.isDone = isDone
  }

  /// Searches all pictures, then prints a summary.
  ///
  /// - Throws: `ExitCode` if a picture failed or the process was interrupted; `FileError` if the
  ///   output cannot be written; `OutputConflict` if it is one of the pictures.
  func run(_ source: PictureSource, _ detector: FaceDetector, workers: Int) throws {
    let stop = Result {
      try detector.forEach(
        HeldPictures(source: source, output: output), workers: workers, work: outcome,
        deliver: deliver)
    }
    let tally = tally.withLock { $0 }
    tally.clear()
    var isWhole = Interruption.signalNumber == nil
    if case .failure(let error) = stop {
      guard error is FailedFast else { throw error }
      isWhole = false
    }
    try output.end(isWhole: isWhole)
    if !options.quiet {
      for message in outputs.messages { printError(message) }
      if tally.count > 1 { printError(tally.summary) }
      if let hint = tally.hint { printError(hint) }
    }
    if !isWhole, let rest = output.partialPath {
      let remedy = output.format.namesPictures ? "; --resume continues it" : ""
      printError("\(rest): incomplete\(remedy)")
    }
    try Interruption.check()
    if tally.failed > 0 { throw ExitCode.failure }
  }

  @Sendable private func outcome(
    of input: PictureInput, with detector: FaceDetector
  ) throws -> Outcome {
    if input.isHeld, output.holdsFailure(of: input) { return .held(hasFailed: true) }
    if let failure = input.failure { throw failure }
    try outputs.requireApart(from: input.identity)
    if try output.hasFile(for: input) || isDone(input) { return .held(hasFailed: false) }
    let result = try search(input, detector)
    let entries = try result.entries(in: output.format)
    // The other formats must be written in order.
    if output.format == .xmp {
      try output.write(try result.sidecar(), for: input)
    } else if output.format.hasFilePerPicture {
      try output.write(entries, for: input)
    }
    return .found(
      entries: entries, faces: result.faces.count, promisingLongSide: result.promisingLongSide)
  }

  @Sendable private func deliver(
    _ input: PictureInput, _ result: Result<Outcome, any Error>
  ) throws {
    do { try take(input, result) } catch {
      // Another thread may be waiting for the next name of a list.
      Interruption.stop()
      throw error
    }
  }

  private func take(_ input: PictureInput, _ result: Result<Outcome, any Error>) throws {
    try tally.withLock { tally in
      switch result {
      case .success(.held(let hasFailed)): tally.addHeld(hasFailed: hasFailed)
      case .success(.found(let entries, let faces, let longSide)):
        if !output.format.hasFilePerPicture {
          // The results and the progress may share a terminal.
          tally.clear()
          try output.write(entries, for: input)
        }
        tally.add(faces: faces, promisingLongSide: longSide)
      case .failure(let conflict as OutputConflict) where conflict.kind == .input: throw conflict
      case .failure(let error):
        tally.addFailure()
        printError("\(error)")
        if output.writesFailures {
          try output.write([FailureReport(image: input.path, error: error).json()], for: input)
        }
        if options.failFast { throw FailedFast() }
      }
    }
  }
}
