import ArgumentParser
import FaceReport
import Files
import Formatting
import YOLOFace

struct FrameHidingReport: Encodable {
  var frame: Int
  /// The picture's path; nil for a film's frames and raw ones.
  var image: String?
  /// The boxes of faces, seen or expected, before they grow.
  var hidden: [Rectangle]
  /// The boxes of faces that stay as they are.
  var kept: [Rectangle]

  init(_ frame: Frame, hidden: [Rectangle], kept: [Rectangle]) {
    func boxes(_ boxes: [Rectangle]) -> [Rectangle] {
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
    let others = OtherFiles()
    let paths =
      try source.map { [$0] } ?? picturePaths(images, leavingOut: output, others: others)
    try requireNewFrames(source == nil ? paths.map(Self.frameName) : earlierFrames())
    let outputs = try Outputs(
      files: [writtenFilm], growing: report, directories: [writtenFilm == nil ? output : nil],
      inputs: model.files + paths, readsStandardInput: rawFrames.raw != nil)
    var frames = try FrameSequence(
      film: source, raw: rawFrames.frames, pictures: paths, rate: film.frameRate,
      limits: picture.ofFilm
    ) {
      var stored = try picture.readStored($0)
      stored.image = turning.upright(stored.upright)
      stored.orientation = .up
      return stored
    }
    let detector = try model.detector(threads: search.threads, longSide: search.longSide)
    try outputs.makeDirectories()
    let place: FrameWriter.Place =
      if let writtenFilm {
        .film(writtenFilm, soundOf: film.sound ? source : nil)
      } else {
        output.map { .directory($0) } ?? .standardOutput
      }
    let writer = FrameWriter(place, of: frames, by: outputs)
    let file = try report.map { try outputs.partialFile($0, isResuming: false) }
    let progress = FilmProgress(total: frames.count, isQuiet: batchOptions.quiet)
    do {
      try hide(in: &frames, with: detector, progress) {
        try writer.write($0, of: $1, named: $1.path.map(Self.frameName))
        try note($2, in: file)
      }
      try flushOutput()
      if Interruption.signalNumber == nil {
        try writer.finish()
        if let file { try outputs.finish(file) }
      } else {
        file?.discard()
      }
    } catch {
      // A film cannot be resumed.
      file?.discard()
      throw error
    }
    if !batchOptions.quiet { for message in outputs.messages { printError(message) } }
    try Interruption.check()
    try progress.end(complaints: frames.complaints)
    try requireNone(of: others)
  }

  /// Hides the faces of frames, and hands each to `write` with its picture and what was hidden.
  private func hide(
    in frames: inout FrameSequence, with detector: FaceDetector, _ progress: FilmProgress,
    write: (RGBImage, Frame, FrameHidingReport) throws -> Void
  ) throws {
    var bridge = try FaceBridge(frames: film.bridge ?? 10, interval: frames.interval)
    defer { progress.clear() }
    let raw = frames.raw
    var waiting: [SearchedFrame] = []
    func finish(_ searched: SearchedFrame, hiding boxes: [Rectangle]) throws {
      guard let frame = searched.frame else { return }
      try progress.attempt {
        // While it waits, a raw frame keeps only its bytes.
        var image = try frame.bytes.flatMap { try raw?.image(of: $0) } ?? frame.image
        let scale = try detector.scale(ofStored: image, options: options(for: detector, of: frame))
        hiding.hide(boxes, in: &image, scale: scale)
        try write(image, frame, FrameHidingReport(frame, hidden: boxes, kept: searched.kept))
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
      case .failure(let error): progress.skip(error)
      }
      waiting.append(searched)
      if let boxes = try bridge.add(searched.hidden) {
        try finish(waiting.removeFirst(), hiding: boxes)
      }
      progress.showNext()
    }
    if Interruption.signalNumber == nil {
      for (searched, boxes) in zip(waiting, bridge.end()) {
        try finish(searched, hiding: boxes)
      }
    }
    // All frames before the error have been written.
    if let end { throw end }
  }

  private func note(_ line: FrameHidingReport, in file: PartialFile?) throws {
    if let file { return try file.append("\(try line.json())\n") }
    if json {
      try printLine(try line.json())
      try flushOutput()
    } else if output != nil {
      let name = printable(line.image ?? "frame \(line.frame)")
      let kept = line.kept.isEmpty ? "" : ", \(line.kept.count) left"
      try printLine("\(name): \(counted(line.hidden.count, "place")) hidden\(kept)")
    }
  }

  /// The name of the file that a picture's frame is written to.
  private static func frameName(of picture: String) -> String {
    withoutPictureSuffix(fileName(of: picture)) + ".png"
  }

  /// Checks that each frame, if it becomes a file, has a name of its own, which does not exist.
  private func requireNewFrames(_ names: [String]) throws {
    guard let output, writtenFilm == nil else { return }
    var known: Set<[UInt8]> = []
    for name in names {
      guard known.insert(Array(name.utf8)).inserted else {
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

  private func search(_ frame: Frame, _ detector: FaceDetector) throws -> SearchedFrame {
    let faces = try detector.detect(in: frame.image, options: options(for: detector, of: frame))
    let marked = zip(faces, keeping.kept(faces))
    return SearchedFrame(
      frame: frame.keepingBytesAlone, hidden: marked.filter { !$1 }.map(\.0),
      kept: marked.filter { $1 }.map(\.0.box))
  }
}

/// A frame that waits for the faces of those that follow it.
private struct SearchedFrame {
  /// Nil if it could not be read.
  var frame: Frame?
  var hidden: [Face]
  var kept: [Rectangle]
}
