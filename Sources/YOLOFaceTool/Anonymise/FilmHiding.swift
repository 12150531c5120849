import ArgumentParser
import FaceReport
import Files
import Formatting
import YOLOFace

/// What was hidden in a frame, as the tool prints it.
struct FrameHidingReport: Encodable {
  var frame: Int
  /// The picture's path; nil for raw frames.
  var image: String?
  /// The boxes of faces, seen or expected, before they grow.
  var hidden: [DetectionReport.Face.Box]
}

extension Anonymise {
  /// Hides the faces of a film's frames. Each frame is written once the frames that its faces may depend
  /// on have been searched.
  func hideInFilm() throws {
    let paths = try picturePaths(images, leavingOut: FileIdentity(output ?? ""))
    try requireOwnNames(paths)
    let outputs = try Outputs(
      growing: report, directories: [output], inputs: model.files + paths,
      readsStandardInput: rawFrames.raw != nil)
    let sink = try FilmSink(
      directory: output, raw: rawFrames.frames,
      report: report.map { try outputs.partialFile($0, isResuming: false) }, printsJSON: json,
      outputs: outputs)
    let detector = try model.detector(threads: search.threads, longSide: search.longSide)
    var frames = try FrameSequence(
      paths: paths, read: { turning.upright(try picture.read($0)) }, raw: rawFrames.frames,
      interval: film.interval)
    var bridge = try FaceBridge(frames: film.bridge ?? 10, interval: film.interval)
    var waiting: [Frame?] = []
    var hasFailed = false
    while Interruption.isGoingOn, let next = try frames.next() {
      switch next {
      case .success(let frame): waiting.append(frame.keepingBytesAlone)
      case .failure(let error):
        hasFailed = true
        printError("\(error)")
        waiting.append(nil)
      }
      let boxes = try bridge.add(try (try? next.get()).map { try hidden(in: $0, detector) } ?? [])
      if let boxes, let frame = waiting.removeFirst() { try write(frame, boxes, to: sink) }
    }
    for (frame, boxes) in zip(waiting, bridge.end()) {
      if let frame { try write(frame, boxes, to: sink) }
    }
    try sink.end(isWhole: Interruption.signalNumber == nil)
    if !batch.quiet { for message in outputs.messages { printError(message) } }
    if let number = Interruption.signalNumber { throw ExitCode(128 + number) }
    if hasFailed { throw ExitCode.failure }
  }

  /// Checks that no two frames would be written to the same file.
  private func requireOwnNames(_ paths: [String]) throws {
    var names: Set<String> = []
    for path in paths where !names.insert(FilmSink.name(of: path)).inserted {
      throw ValidationError(
        "\(path): an earlier frame is called \(FilmSink.name(of: path)), too; give frames names of their own."
      )
    }
  }

  private func hidden(in frame: Frame, _ detector: FaceDetector) throws -> [Face] {
    var options = detection
    options.maximumFaces = FaceTracker.maximumFaces
    let faces = try detector.detect(in: frame.image, options: options)
    return zip(faces, keeping.kept(faces)).filter { !$1 }.map(\.0)
  }

  private func write(_ frame: Frame, _ boxes: [Rectangle], to sink: FilmSink) throws {
    var image = try sink.image(of: frame)
    hiding.hide(boxes, in: &image)
    try sink.write(image, of: frame)
    try sink.note(
      FrameHidingReport(
        frame: frame.number, image: frame.path,
        hidden: boxes.map { DetectionReport.Face(Face(score: 0, box: $0)).box }))
  }
}

/// Where the frames of a film without faces go, and the report.
private struct FilmSink {
  var directory: String?
  var raw: RawFrames?
  var report: PartialFile?
  var printsJSON: Bool
  var outputs: Outputs

  /// The name of the file that a frame is written to.
  static func name(of picture: String) -> String {
    withoutPictureSuffix(fileName(of: picture)) + ".png"
  }

  /// A frame's picture, which raw frames that wait do not keep.
  func image(of frame: Frame) throws -> RGBImage {
    guard let raw, let bytes = frame.bytes else { return frame.image }
    return try raw.image(of: bytes)
  }

  func write(_ image: RGBImage, of frame: Frame) throws {
    if let raw, var bytes = frame.bytes {
      try raw.write(image, over: &bytes)
      try printBytes(bytes)
    } else if let directory, let picture = frame.path {
      try outputs.writeNew(
        image, to: path(of: Self.name(of: picture), in: directory), in: directory)
    }
  }

  func note(_ line: FrameHidingReport) throws {
    if let report {
      try report.append("\(try line.json())\n")
    } else if printsJSON {
      try printLine(try line.json())
      try flushOutput()
    } else if directory != nil {
      let name = printable(line.image ?? "frame \(line.frame)")
      try printLine("\(name): \(counted(line.hidden.count, "face")) hidden")
    }
  }

  func end(isWhole: Bool) throws {
    try flushOutput()
    if let report, isWhole { try outputs.finish(report) }
  }
}
