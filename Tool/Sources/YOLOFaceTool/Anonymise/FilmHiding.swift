import ArgumentParser
import FaceReport
import Files
import Films
import Formatting
import YOLOFace

/// What was hidden in a frame, as the tool prints it.
struct FrameHidingReport: Encodable {
  var frame: Int
  /// The picture's path; nil for a film's frames and raw ones.
  var image: String?
  /// The boxes of faces, seen or expected, before they grow.
  var hidden: [DetectionReport.Face.Box]
  /// The boxes of faces that stay as they are.
  var kept: [DetectionReport.Face.Box]

  init(_ frame: Frame, hidden: [Rectangle], kept: [Rectangle]) {
    func boxes(_ boxes: [Rectangle]) -> [DetectionReport.Face.Box] {
      boxes.map { DetectionReport.Face(Face(score: 0, box: $0)).box }
    }
    self.frame = frame.number
    image = frame.path
    self.hidden = boxes(hidden)
    self.kept = boxes(kept)
  }
}

extension Anonymise {
  /// Hides the faces of a film's frames. Each frame is written once the frames that its faces may depend
  /// on have been searched; after a signal, waiting frames are not written.
  func hideInFilm() throws {
    let source = try onlyFilm(images)
    let paths =
      try source.map { [$0] } ?? picturePaths(images, leavingOut: output)
    try requireNewFrames(source == nil ? paths.map(FilmSink.name) : earlierFrames())
    let outputs = try Outputs(
      files: [writtenFilm], growing: report, directories: [writtenFilm == nil ? output : nil],
      inputs: model.files + paths, readsStandardInput: rawFrames.raw != nil)
    var frames = try FrameSequence(
      film: source, raw: rawFrames.frames, pictures: paths, rate: film.frameRate,
      limits: picture.ofFilm
    ) { turning.upright(try picture.read($0)) }
    let detector = try model.detector(threads: search.threads, longSide: search.longSide)
    try outputs.makeDirectories()
    let sink = try FilmSink(
      place: place(frames.interval, soundOf: film.sound ? source : nil, by: outputs),
      raw: rawFrames.frames,
      report: report.map { try outputs.partialFile($0, isResuming: false) }, printsJSON: json,
      outputs: outputs)
    defer { sink.discardReport() }
    var areAllDone = try hide(in: &frames, with: detector, to: sink)
    try sink.end(isWhole: Interruption.signalNumber == nil)
    if let complaints = frames.complaints {
      printError(complaints)
      areAllDone = false
    }
    if !batchOptions.quiet { for message in outputs.messages { printError(message) } }
    try Interruption.check()
    if !areAllDone { throw ExitCode.failure }
  }

  /// Whether every frame could be read and written.
  private func hide(
    in frames: inout FrameSequence, with detector: FaceDetector, to sink: FilmSink
  ) throws -> Bool {
    var bridge = try FaceBridge(frames: film.bridge ?? 10, interval: frames.interval)
    let progress = FilmProgress(total: frames.count, isQuiet: batchOptions.quiet)
    defer { progress.clear() }
    var waiting: [SearchedFrame] = []
    var areAllDone = true
    func skip(_ error: any Error) {
      progress.printError("\(error)")
      areAllDone = false
    }
    func write(_ searched: SearchedFrame, hiding boxes: [Rectangle]) throws {
      do {
        try self.write(searched, hiding: boxes, with: detector, to: sink)
      } catch let error as UnequalFrame {
        skip(error)
      }
    }
    var end: (any Error)?
    func next() -> Result<Frame, any Error>? {
      do { return try frames.next() } catch {
        end = error
        return nil
      }
    }
    while Interruption.isGoingOn, let next = next() {
      var searched = SearchedFrame(frame: nil, hidden: [], kept: [])
      switch next {
      case .success(let frame): searched = try search(frame, detector)
      case .failure(let error): skip(error)
      }
      waiting.append(searched)
      if let boxes = try bridge.add(searched.hidden) {
        try write(waiting.removeFirst(), hiding: boxes)
      }
      progress.showNext()
    }
    if Interruption.signalNumber == nil {
      for (searched, boxes) in zip(waiting, bridge.end()) {
        try write(searched, hiding: boxes)
      }
    }
    // All frames before the error have been written.
    if let end { throw end }
    return areAllDone
  }

  private func place(
    _ interval: RationalTime, soundOf source: String?, by outputs: Outputs
  ) -> FilmSink.Place {
    if let writtenFilm {
      return .film(WrittenFilm(writtenFilm, interval: interval, soundOf: source, by: outputs))
    }
    return output.map { .directory($0) } ?? .standardOutput
  }

  /// Checks that each frame, if it becomes a file, has a name of its own, which does not exist.
  private func requireNewFrames(_ names: [String]) throws {
    guard let output, writtenFilm == nil else { return }
    var known: Set<String> = []
    for name in names {
      guard known.insert(name).inserted else {
        throw ValidationError("\(name): found two such frames; give frames names of their own.")
      }
      try requireNew(path(of: name, in: output))
    }
  }

  /// The names of a film's frames in the directory to which frames are written.
  private func earlierFrames() throws -> [String] {
    guard let output, writtenFilm == nil, isDirectory(output) else { return [] }
    return try visibleEntries(in: output).map(\.name).filter(Frame.isFileName)
  }

  private func options(for detector: FaceDetector, of frame: Frame) -> DetectionOptions {
    var options = options(for: detector)
    options.maximumFaces = FaceTracker.maximumFaces
    // Pictures are upright already; films and raw frames leave as they came.
    if frame.path == nil { options.orientation = turning.orientation ?? .up }
    return options
  }

  /// Finds a frame's faces.
  private func search(_ frame: Frame, _ detector: FaceDetector) throws -> SearchedFrame {
    let faces = try detector.detect(in: frame.image, options: options(for: detector, of: frame))
    let marked = zip(faces, keeping.kept(faces))
    return SearchedFrame(
      frame: frame.keepingBytesAlone, hidden: marked.filter { !$1 }.map(\.0),
      kept: marked.filter { $1 }.map(\.0.box))
  }

  /// Writes a frame, if it could be read.
  ///
  /// - Throws: `UnequalFrame` where its size is not the film's, and what writing throws.
  private func write(
    _ searched: SearchedFrame, hiding boxes: [Rectangle], with detector: FaceDetector,
    to sink: FilmSink
  ) throws {
    guard let frame = searched.frame else { return }
    var image = try sink.image(of: frame)
    let scale = try detector.scale(ofStored: image, options: options(for: detector, of: frame))
    hiding.hide(boxes, in: &image, scale: scale)
    try sink.write(image, of: frame)
    try sink.note(FrameHidingReport(frame, hidden: boxes, kept: searched.kept))
  }
}

/// A frame that waits for the faces of those that follow it.
private struct SearchedFrame {
  /// Nil if it could not be read.
  var frame: Frame?
  var hidden: [Face]
  var kept: [Rectangle]
}

/// Where the frames of a film without faces go, and the report.
private final class FilmSink {
  enum Place {
    case standardOutput
    case directory(String)
    case film(WrittenFilm)
  }

  private let place: Place
  private let raw: RawFrames?
  private var report: PartialFile?
  private let printsJSON: Bool
  private let outputs: Outputs

  init(
    place: Place, raw: RawFrames?, report: PartialFile?, printsJSON: Bool, outputs: Outputs
  ) {
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

  /// A frame's picture; while it waits, a raw frame keeps only its bytes.
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
    case .film(let film): try film.append(image, of: frame)
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
      let kept = line.kept.isEmpty ? "" : ", \(line.kept.count) left"
      try printLine("\(name): \(counted(line.hidden.count, "place")) hidden\(kept)")
    }
  }

  func end(isWhole: Bool) throws {
    try flushOutput()
    guard isWhole else { return }
    if case .film(let film) = place { try film.finish() }
    if let report { try outputs.finish(report) }
    report = nil
  }

  /// Removes a report that did not become whole: a film cannot be resumed.
  func discardReport() {
    report?.discard()
    report = nil
  }
}
