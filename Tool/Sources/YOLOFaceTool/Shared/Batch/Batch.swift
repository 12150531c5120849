// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFiles
import YOLOFaceReport

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

  func validate() throws { try requireNumber("--jobs", jobs, in: threadCounts) }
}

/// The pictures of a run, of which several are searched at a time; results are written in order.
struct Batch {
  let pictures: PictureQueue
  /// Those of each picture's search.
  let threads: Int
  let mayHaveSeveral: Bool
  /// The progress within the only picture; nil for several.
  let progressOfPicture: Progress?
  private let options: BatchOptions
  private let workers: Int
  /// As the run begins; its clock starts with the batch.
  private let tally: Tally

  private enum Outcome: Sendable {
    case doneBefore, failedBefore
    case found(PictureResult, entries: [String])
  }

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
    tally = Tally(pictures, progress)
  }

  /// Searches all pictures with a detector of `threads` threads, writes the results, and prints a summary. Any
  /// thread may call `search`, which returns nil for a picture that an earlier run has done.
  ///
  /// - Throws: `ExitCode` if a picture failed or the process was interrupted, or what ends the run.
  func run(
    with detector: FaceDetector, to writer: ResultWriter,
    search: @escaping @Sendable (PictureInput, FaceDetector) throws -> PictureResult?
  ) throws {
    pictures.markHeld(writer.held)
    var tally = tally
    let outcomes = detector.results(of: pictures, workers: workers) { input, detector in
      if input.isHeld, writer.holdsFailure(of: input) { return Outcome.failedBefore }
      if let failure = input.failure { throw failure }
      try writer.outputs.requireApart(from: input.identity)
      guard try !writer.hasFile(for: input), let result = try search(input, detector) else {
        return .doneBefore
      }
      return .found(result, entries: try writer.write(result, for: input))
    }
    var isWhole = true
    searching: for (input, outcome) in outcomes {
      do {
        switch outcome {
        case .success(.doneBefore): tally.addHeld(hasFailed: false)
        case .success(.failedBefore): tally.addHeld(hasFailed: true)
        case .success(.found(let result, let entries)):
          if !entries.isEmpty {
            // The results and the progress may share a terminal.
            tally.clear()
            try writer.append(entries)
          }
          if let message = result.damageMessage {
            tally.clear()
            printError(message)
          }
          tally.add(result)
        case .failure(let error):
          if case OutputConflict.input = error { throw error }
          // Beside pictures, others may lie on another disk.
          if let error = error as? FileError, error.isOfPlace, !writer.outputs.isBesidePictures {
            throw error
          }
          tally.addFailure()
          printError("\(error)")
          try writer.appendFailure(error, of: input)
          if options.failFast {
            isWhole = false
            Interruption.stop()
            break searching
          }
        }
      } catch {
        tally.clear()
        // Another thread may be waiting for the next name of a list.
        Interruption.stop()
        throw error
      }
    }
    tally.clear()
    try finish(
      tally, tally.advice(on: detector), writer,
      isWhole: isWhole && Interruption.signalNumber == nil)
  }

  private func finish(
    _ tally: Tally, _ advice: String?, _ writer: ResultWriter, isWhole: Bool
  ) throws {
    try writer.end(isWhole: isWhole)
    if !options.quiet {
      let summary = tally.count > 1 || tally.held > 0 ? tally.summary : nil
      let others = [
        summary, tally.hint, advice, tally.enlargement, tally.coverageOfHiding,
      ]
      let all =
        writer.outputs.messages + writer.messages(held: tally.held) + others.compactMap(\.self)
        + tally.remarks
      for message in all { printError(message) }
    }
    if let message = pictures.others.message { printError(message) }
    if !isWhole, let rest = writer.partialPath {
      let remedy = writer.format.namesPictures ? "; --resume continues it" : ""
      printError("\(rest): incomplete\(remedy)")
    }
    try Interruption.check()
    if tally.failed > 0 { throw ExitCode.failure }
  }
}
