import ArgumentParser
import FaceReport
import Files
import Synchronization
import YOLOFace

/// The work of `yoloface detect` on its pictures.
final class DetectionBatch: Sendable {
  /// What became of a picture.
  private enum Outcome: Sendable {
    /// An earlier run has done it.
    case held(hasFailed: Bool)
    case found(entries: [String], faces: Int)
  }

  /// A picture failed, and the rest is not wanted.
  private struct FailedFast: Error {}

  private let command: Detect
  private let numbers: ImageNumbers?
  private let output: ReportOutput
  private let outputs: Outputs
  private let tally: Mutex<BatchTally>

  init(
    command: Detect, numbers: ImageNumbers?, output: ReportOutput, outputs: Outputs,
    tally: BatchTally
  ) {
    self.command = command
    self.numbers = numbers
    self.output = output
    self.outputs = outputs
    self.tally = Mutex(tally)
  }

  /// Takes all pictures and says at the end how many there were.
  ///
  /// - Throws: `ExitCode` where a picture failed or the process was asked to end; `FileError` where
  ///   the output takes no more, `OutputConflict` where it is one of the pictures.
  func run(_ source: PictureSource, _ detector: FaceDetector, workers: Int) throws {
    let stop = Result {
      try detector.forEach(source, workers: workers, work: outcome, deliver: deliver)
    }
    let tally = tally.withLock { $0 }
    tally.clear()
    var isWhole = Interruption.signalNumber == nil
    if case .failure(let error) = stop {
      guard error is FailedFast else { throw error }
      isWhole = false
    }
    try output.end(isWhole: isWhole)
    if !command.batch.quiet {
      for message in outputs.messages { printError(message) }
      if tally.count > 1 { printError(tally.summary) }
    }
    if !isWhole, let rest = output.partialPath {
      let remedy = output.format.namesPictures ? "; --resume goes on with it" : ""
      printError("\(rest): not whole\(remedy)")
    }
    if let number = Interruption.signalNumber { throw ExitCode(128 + number) }
    if tally.failed > 0 { throw ExitCode.failure }
  }

  @Sendable private func outcome(
    of input: PictureInput, with detector: FaceDetector
  ) throws -> Outcome {
    if let failure = input.failure { throw failure }
    try outputs.requireApart(from: input.identity)
    if output.holds(input) { return .held(hasFailed: output.holdsFailure(of: input)) }
    let result = try command.detect(
      input, number: number(of: input), category: numbers?.category ?? 1, with: detector,
      writingBy: outputs)
    let entries = try result.entries(in: output.format)
    // The others have to be written in their order.
    if output.format.hasFilePerPicture { try output.write(entries, for: input) }
    return .found(entries: entries, faces: result.faces.count)
  }

  private func number(of input: PictureInput) throws -> Int {
    guard let numbers else { return input.number }
    return try numbers.number(of: input)
  }

  @Sendable private func deliver(
    _ input: PictureInput, _ result: Result<Outcome, any Error>
  ) throws {
    do { try take(input, result) } catch {
      // Whoever waits for the next name of a list shall hear of it.
      Interruption.stop()
      throw error
    }
  }

  private func take(_ input: PictureInput, _ result: Result<Outcome, any Error>) throws {
    try tally.withLock { tally in
      switch result {
      case .success(.held(let hasFailed)): tally.addHeld(hasFailed: hasFailed)
      case .success(.found(let entries, let faces)):
        if !output.format.hasFilePerPicture {
          // Both may be on one terminal.
          tally.clear()
          try output.write(entries, for: input)
        }
        tally.add(faces: faces)
      case .failure(let conflict as OutputConflict): throw conflict
      case .failure(let error):
        tally.addFailure()
        printError("\(error)")
        if command.output.failureRows {
          try output.write([FailureReport(image: input.path, error: error).json()], for: input)
        }
        if command.batch.failFast { throw FailedFast() }
      }
    }
  }
}

extension Detect {
  /// What is found in a picture; writes the pictures that are wanted of it.
  fileprivate func detect(
    _ input: PictureInput, number: Int, category: Int, with detector: FaceDetector,
    writingBy outputs: Outputs
  ) throws -> PictureResult {
    let image = try input.read(picture)
    let space = try view.space(of: image)
    let options = search.detection(in: space)
    let found = try detector.detect(in: image, options: options)
    var faces = selection.select(from: found, of: image, in: space)
    if needsLandmarks { faces = try detector.lookingAgain(at: faces, in: image, options: options) }
    var report = DetectionReport(
      image: input.path, width: image.width, height: image.height, faces: faces, in: space)
    report.add(
      try cuts.write(
        faces, of: image, orientation: view.orientation ?? .up, name: input.stem,
        isResuming: output.resume, by: outputs))
    try draw(faces, on: image, in: space, of: input, by: outputs)
    return PictureResult(
      report: report, faces: faces, size: image.size, name: fileName(of: input.stem),
      identifier: number, category: category)
  }

  /// Whether landmarks or angles are printed, drawn, or aligned by.
  private var needsLandmarks: Bool {
    !output.chosen.isForDataSets || cuts.align != nil || annotate != nil
  }

  private func draw(
    _ faces: [Face], on image: RGBImage, in space: ViewSpace?, of input: PictureInput,
    by outputs: Outputs
  ) throws {
    guard annotate != nil else { return }
    var faces = faces
    var image = image
    if let space {
      image = try image.rendered(in: space)
      faces = faces.map { space.written(in: .pixels).map($0) }
    }
    image.draw(faces, style: drawing.style)
    if let annotatedFile {
      try outputs.write(image, to: annotatedFile)
    } else if let annotatedDirectory {
      try outputs.writeNew(
        image, to: path(of: input.stem + ".png", in: annotatedDirectory), in: annotatedDirectory,
        isResuming: output.resume)
    }
  }
}
