// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFileSystem
import YOLOFaceFilms
import YOLOFaceFormatting

/// What is hidden in a frame. Programs may rely on its JSON, and `--boxes` reads it.
struct FrameHidingReport: Codable {
  /// The box of a face, seen or expected, before it grows.
  struct Place: Codable {
    var id: Int?
    /// The number under which the face was followed before it may have been mistaken for another; nil for most.
    var former: Int?
    /// The numbers that it may have in this frame in place of `id`; nil for none.
    var others: [Int]?
    var x, y, width, height: Double

    init(_ place: FaceBridge.Place) {
      self.init(place.box)
      (id, former) = (place.id, place.formerID)
      others = place.otherIDs.isEmpty ? nil : place.otherIDs
    }

    init(_ box: Box) {
      (x, y) = (rounded(box.x), rounded(box.y))
      (width, height) = (rounded(box.width), rounded(box.height))
    }

    var box: Box { Box(x: x, y: y, width: width, height: height) }

    /// All numbers that it may have; none for a box that a person has drawn.
    var numbers: [Int] { [id].compactMap(\.self) + (others ?? []) }
  }

  var frame: Int
  /// The picture's path; nil for a film's frames and raw ones.
  var image: String?
  var hidden: [Place]
  var kept: [Place]
}

extension Anonymise {
  /// Hides the faces of a film's frames. Each frame is written once the frames that its faces may depend
  /// on have been searched; after a signal, waiting frames are not written.
  func hideInFilm() throws {
    let source = sourceFilm
    let others = OtherFiles()
    let paths =
      try source.map { [$0] }
      ?? picturePaths(images, leavingOut: output, excluding: walk.excluded, others: others)
    try requireNewFrames(source == nil ? paths.map(Self.frameName) : earlierFrames())
    let outputs = try Outputs(
      files: [writtenFilm], growing: report, directories: [writtenFilm == nil ? output : nil],
      inputs: search.model.files + paths + [film.boxes], readsStandardInput: rawFrames.raw != nil)
    var frames = try FrameSequence(
      film: source, raw: rawFrames.frames, pictures: paths, rate: film.frameRate,
      limits: picture.limits
    ) {
      var stored = try picture.readSaying($0)
      stored.image = turning.upright(stored.upright)
      stored.stated = StatedOrientation()
      return stored
    }
    let detector = try search.detector()
    let given = try film.boxes.map(GivenPlaces.init)
    try outputs.makeDirectories()
    let directory = output.map { FrameWriter.Place.directory($0) }
    let place =
      writtenFilm.map { .film($0, quality: film.quality, keeping: film.keptParts) } ?? directory
    let writer = FrameWriter(place ?? .standardOutput, of: frames, by: outputs)
    let file = try report.map { try outputs.partialFile($0, earlier: .refused) }
    let progress = FilmProgress(
      total: frames.count, isQuiet: batchOptions.quiet, printsLines: json && report == nil)
    var counts = HidingCounts()
    var coverage = HidingCoverage()
    do {
      try hide(in: &frames, with: detector, given, progress) {
        try writer.write($0, of: $1, named: $1.path.map(Self.frameName))
        try note($2, in: file)
        counts.add($2)
        guard given == nil, choosesInput(for: $0.size) else { return }
        let options = options(for: detector, of: $1, $0.size)
        coverage.add($0.size, scale: try detector.scale(ofStored: $0, options: options))
      }
      try flushOutput()
      try Interruption.check()
      try given?.requireNoMore(than: frames.number)
      try writer.finish()
      if let file { try outputs.finish(file) }
    } catch {
      // A film cannot be resumed.
      file?.discard()
      throw error
    }
    try Interruption.check()
    if !json, report == nil, output != nil { try printLine(counts.text(of: source ?? "frames")) }
    if !batchOptions.quiet {
      for message in outputs.messages { printError(message) }
      if let reader = frames.reader {
        for loss in reader.losses + losses(of: reader, by: writer) {
          printError("\(reader.path): \(loss)")
        }
      }
      let missing = Set(film.keepID + film.hideID).subtracting(counts.identifiers)
      for number in missing.sorted() { printError("no face has the ID \(number)") }
      for line in counts.doubts(about: film.keepID) { printError(line) }
      if let text = coverage.text { printError("\(printable(source ?? "frames")): \(text)") }
    }
    try progress.end(complaints: frames.complaints)
    try requireNone(of: others)
  }

  /// Hides the faces of frames, or the places that are given, and hands each frame to `write` with its picture and
  /// what was hidden.
  private func hide(
    in frames: inout FrameSequence, with detector: FaceDetector, _ given: GivenPlaces?,
    _ progress: FilmProgress, write: (RGBImage, Frame, FrameHidingReport) throws -> Void
  ) throws {
    var bridge = try FaceBridge(
      frames: film.bridge ?? FaceBridge.usualFrames(at: frames.interval), interval: frames.interval)
    defer { progress.clear() }
    let raw = frames.raw
    var waiting: [SearchedFrame] = []
    func finish(_ searched: SearchedFrame, hiding places: [FrameHidingReport.Place]) throws {
      guard let frame = searched.frame else { return }
      try progress.attempt {
        // While it waits, a raw frame keeps only its bytes.
        var image = try frame.bytes.flatMap { try raw?.image(of: $0) } ?? frame.image
        let report = try hide(places, in: &image, of: frame, besides: searched.kept, detector)
        try write(image, frame, report)
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
      var searched = SearchedFrame()
      var isCut = false
      switch next {
      case .success(let frame):
        if let given {
          let report = try given.places(of: frame)
          let kept = report.kept.filter { !film.isNamedToHide($0) }
          let named = report.kept.filter { film.isNamedToHide($0) }
          try finish(SearchedFrame(frame: frame, kept: kept), hiding: report.hidden + named)
          progress.showNext()
          continue
        }
        isCut = frame.isCut
        searched = try search(frame, detector)
      case .failure(let error): progress.skip(error)
      }
      waiting.append(searched)
      if let places = try bridge.add(searched.hidden, isCut: isCut) {
        try finish(waiting.removeFirst(), hiding: places.map(FrameHidingReport.Place.init))
      }
      progress.showNext()
    }
    if Interruption.signalNumber == nil {
      for (searched, places) in zip(waiting, bridge.end()) {
        try finish(searched, hiding: places.map(FrameHidingReport.Place.init))
      }
    }
    // All frames before the error have been written.
    if let end { throw end }
  }

  /// Hides places in a frame's picture, except those of faces that stay, beside others that stay.
  private func hide(
    _ places: [FrameHidingReport.Place], in image: inout RGBImage, of frame: Frame,
    besides kept: [FrameHidingReport.Place], _ detector: FaceDetector
  ) throws -> FrameHidingReport {
    let scale = try detector.scale(
      ofStored: image, options: options(for: detector, of: frame, image.size))
    let hidden = places.filter { !film.isKept($0) }
    hiding.hide(hidden.map(\.box), in: &image, scale: scale)
    return FrameHidingReport(
      frame: frame.number, image: frame.path, hidden: hidden,
      kept: kept + places.filter { film.isKept($0) })
  }

  private func note(_ line: FrameHidingReport, in file: PartialFile?) throws {
    if let file { return try file.append("\(try line.json())\n") }
    guard json else { return }
    try printLine(try line.json())
    try flushOutput()
  }

  private func losses(of source: FilmReader, by writer: FrameWriter) -> [String] {
    guard writtenFilm != nil else { return [] }
    let sound = source.tracks.sound.count
    let others = source.tracks.all.count - sound
    return writer.losses
      + (sound > 0 && !film.sound ? ["the sound is left out; --sound keeps it"] : [])
      + (others > 0 ? ["\(counted(others, "other track")), such as subtitles, left out"] : [])
  }

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

  private func earlierFrames() throws -> [String] {
    guard let output, writtenFilm == nil, isDirectory(output) else { return [] }
    return try directoryEntries(in: output).map(\.name).filter(Frame.isFileName)
  }

  private func options(
    for detector: FaceDetector, of frame: Frame, _ size: Size2D
  ) -> DetectionOptions {
    var options = options(for: detector, in: size)
    options.maximumFaces = FaceTracker.maximumFaces
    // Pictures are upright already; films and raw frames leave as they came.
    if frame.path == nil { options.orientation = turning.orientation ?? .up }
    return options
  }

  private func search(_ frame: Frame, _ detector: FaceDetector) throws -> SearchedFrame {
    let faces = try detector.detect(
      in: frame.image, options: options(for: detector, of: frame, frame.image.size))
    let marked = zip(faces, keeping.kept(faces))
    return SearchedFrame(
      frame: frame.keepingBytesAlone, hidden: marked.filter { !$1 }.map(\.0),
      kept: marked.filter { $1 }.map { FrameHidingReport.Place($0.0.box) })
  }
}

struct HidingCounts {
  private(set) var identifiers: Set<Int> = []
  private var (frames, framesWithFaces, places, kept) = (0, 0, 0, 0)
  /// The number under which a face went on, and the frame, by the one before.
  private var successors: [Int: (number: Int, frame: Int)] = [:]
  /// The most lines about faces that may be other persons.
  private static let mostDoubts = 10

  mutating func add(_ frame: FrameHidingReport) {
    frames += 1
    framesWithFaces += frame.hidden.isEmpty ? 0 : 1
    places += frame.hidden.count
    kept += frame.kept.count
    identifiers.formUnion((frame.hidden + frame.kept).flatMap(\.numbers))
    for place in frame.hidden {
      guard let id = place.id, let former = place.former, successors[former] == nil else {
        continue
      }
      successors[former] = (id, frame.frame)
    }
  }

  /// From which frames on faces that are kept may be other persons.
  func doubts(about kept: [Int]) -> [String] {
    let doubts = Set(kept).sorted().compactMap { number -> String? in
      guard let first = successors[number] else { return nil }
      var last = first
      // While faces cross, each frame gives them new numbers.
      while let next = successors[last.number], next.number > last.number,
        next.frame <= last.frame + 1
      {
        last = next
      }
      return "face \(number) may be another person from frame \(first.frame) on, where it is "
        + "hidden; --keep-id \(last.number) shows it from frame \(last.frame) on"
    }
    let more = doubts.count - Self.mostDoubts
    return doubts.prefix(Self.mostDoubts) + (more > 0 ? ["\(counted(more, "more face"))"] : [])
  }

  func text(of name: String) -> String {
    "\(printable(name)): \(counted(places, "place")) hidden in \(framesWithFaces) of "
      + "\(counted(frames, "frame"))" + (kept > 0 ? ", \(kept) left" : "")
  }
}

/// A frame that waits for the faces of those that follow it.
private struct SearchedFrame {
  /// Nil if it could not be read.
  var frame: Frame?
  var hidden: [Face] = []
  var kept: [FrameHidingReport.Place] = []
}
