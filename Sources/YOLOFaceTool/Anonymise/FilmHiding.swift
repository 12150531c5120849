import ArgumentParser
import FaceReport
import Files
import Films
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
    let source = try onlyFilm(images)
    let paths =
      try source.map { [$0] } ?? picturePaths(images, leavingOut: FileIdentity(output ?? ""))
    if source == nil { try requireOwnNames(paths) }
    let outputs = try Outputs(
      files: [writtenFilm], growing: report, directories: [writtenFilm == nil ? output : nil],
      inputs: model.files + paths, readsStandardInput: rawFrames.raw != nil)
    var frames = try frames(source, paths)
    let sink = try FilmSink(
      place: place(frames.interval, soundOf: film.sound ? source : nil), raw: rawFrames.frames,
      report: report.map { try outputs.partialFile($0, isResuming: false) }, printsJSON: json,
      outputs: outputs)
    let detector = try model.detector(threads: search.threads, longSide: search.longSide)
    var bridge = try FaceBridge(frames: film.bridge ?? 10, interval: frames.interval)
    let progress = FilmProgress(total: frames.count)
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
      progress.showNext()
    }
    progress.clear()
    for (frame, boxes) in zip(waiting, bridge.end()) {
      if let frame { try write(frame, boxes, to: sink) }
    }
    try sink.end(isWhole: Interruption.signalNumber == nil)
    if let complaints = frames.complaints { printError(complaints) }
    if !batch.quiet { for message in outputs.messages { printError(message) } }
    if let number = Interruption.signalNumber { throw ExitCode(128 + number) }
    if hasFailed { throw ExitCode.failure }
  }

  private func frames(_ source: String?, _ paths: [String]) throws -> FrameSequence {
    let interval = try film.frameRate?.interval
    if let source {
      let reader = try FilmReader(source, interval: interval)
      return try FrameSequence(.film(reader), interval: reader.interval)
    }
    let usual = try interval ?? (30 as PositiveFraction).interval
    if let raw = rawFrames.frames { return try FrameSequence(.raw(raw), interval: usual) }
    let pictures = FrameSequence.Source.pictures(paths) { turning.upright(try picture.read($0)) }
    return try FrameSequence(pictures, interval: usual)
  }

  private func place(_ interval: RationalTime, soundOf source: String?) -> FilmSink.Place {
    if let writtenFilm { return .film(writtenFilm, interval, soundOf: source) }
    return output.map { .directory($0) } ?? .standardOutput
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
private final class FilmSink {
  enum Place {
    case standardOutput
    case directory(String)
    case film(String, RationalTime, soundOf: String?)
  }

  private let place: Place
  private let raw: RawFrames?
  private let report: PartialFile?
  private let printsJSON: Bool
  private let outputs: Outputs
  /// The film, from its first frame on.
  private var film: FilmWriter?

  init(
    place: Place, raw: RawFrames?, report: PartialFile?, printsJSON: Bool, outputs: Outputs
  ) throws {
    self.place = place
    self.raw = raw
    self.report = report
    self.printsJSON = printsJSON
    self.outputs = outputs
  }

  /// The name of the file that a picture's frame is written to.
  static func name(of picture: String) -> String {
    withoutPictureSuffix(fileName(of: picture)) + ".png"
  }

  /// A frame's picture, which raw frames that wait do not keep.
  func image(of frame: Frame) throws -> RGBImage {
    guard let raw, let bytes = frame.bytes else { return frame.image }
    return try raw.image(of: bytes)
  }

  func write(_ image: RGBImage, of frame: Frame) throws {
    switch place {
    case .standardOutput:
      guard let raw, var bytes = frame.bytes else { return }
      try raw.write(image, over: &bytes)
      try printBytes(bytes)
    case .directory(let directory):
      let name = frame.path.map(Self.name) ?? frame.fileName
      try outputs.writeNew(image, to: path(of: name, in: directory), in: directory)
    case .film(let path, let interval, let source):
      film = try film ?? outputs.film(path, of: image, interval: interval, soundOf: source)
      try film?.append(image)
    }
  }

  func note(_ line: FrameHidingReport) throws {
    if let report {
      try report.append("\(try line.json())\n")
    } else if printsJSON {
      try printLine(try line.json())
      try flushOutput()
    } else if case .standardOutput = place {
      return
    } else {
      let name = printable(line.image ?? "frame \(line.frame)")
      try printLine("\(name): \(counted(line.hidden.count, "face")) hidden")
    }
  }

  func end(isWhole: Bool) throws {
    try flushOutput()
    guard isWhole else { return }
    if let film { try outputs.finish(film) }
    if let report { try outputs.finish(report) }
  }
}
