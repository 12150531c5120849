// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFormatting
import YOLOFaceReport

struct Track: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tracks faces from frame to frame and gives each an ID.",
    discussion: """
      Frames are \(Picture.formats) pictures in order of time (in a directory, by the numbers in their names), those of a film, or raw \
      frames on standard input. Prints a JSON object for each frame, one per line: its time as an \
      exact fraction of seconds, its faces with their IDs, the IDs of faces that were missed, and \
      the IDs of faces that are lost; at a cut, all are. A picture that cannot be read or written is skipped \
      with a message; its time still passes.

      yoloface track --help-hidden lists all options.

      Examples:
        yoloface track film.mp4 --annotate followed.mp4 > tracks.jsonl
        yoloface track frames --annotate followed
        yoloface track frames --annotate followed --no-landmarks --line-width 4
        yoloface track frames --mot > tracks.txt
        yoloface track frames --frame-rate 30000/1001 --maximum-gap 0.5 --min-size 40
        ffmpeg -i film.mp4 -f rawvideo -pix_fmt bgra - | yoloface track --raw 1280x720
      """)

  @OptionGroup var frames: FrameOptions
  @OptionGroup var search: FaceSearchOptions
  @OptionGroup(title: "Which faces") var selection: SelectionOptions
  @OptionGroup(title: "How positions are printed and drawn", visibility: .hidden) var view:
    ViewOptions

  @Option(
    help: ArgumentHelp(
      """
      How long a face may be missed before it is lost, such as 1, 0.5 or 1001/30000; by default 1, or the \
      time between frames if that is longer.
      """, valueName: "seconds"))
  var maximumGap: PositiveFraction?

  @Flag(
    help: """
      Print MOTChallenge's text instead of JSON: a line for each face with the number of its frame, from \
      1, its ID, the left, top, width and height of its box, the picture's first pixel being 1, its score, \
      and three times -1.
      """)
  var mot = false

  func validate() throws {
    guard !mot || [nil, .pixels].contains(view.coordinates) else {
      throw ValidationError("--mot is in pixels from the top left: give no other --coordinates.")
    }
  }

  func run() throws {
    let film = try Film(frames, besides: search.model.files)
    if let maximumGap, try maximumGap.seconds < film.interval {
      throw ValidationError(
        "--maximum-gap \(maximumGap): frames are farther apart; give at least \(film.interval).")
    }
    let detector = try search.detector()
    if selection.select == .sharpest {
      try requireLandmarks(of: detector, for: "--select sharpest")
    }
    var tracker = FaceTracker(
      maximumGap: try maximumGap?.seconds ?? max(RationalTime(seconds: 1), film.interval))
    try film.forEach { try follow($0, of: film, with: detector, &tracker) }
  }

  private func follow(
    _ frame: Frame, of film: Film, with detector: FaceDetector, _ tracker: inout FaceTracker
  ) throws -> String {
    let space = try view.space(of: frame.image)
    var options = search.looks.detection(in: space, effort: search.closely.search())
    options.maximumFaces = FaceTracker.maximumFaces
    let found = try detector.detect(in: frame.image, options: options)
    let faces = selection.select(from: found, of: frame.image, in: space)
    // A frame that cannot be written does not count.
    var next = tracker
    let update = try next.update(faces, at: frame.time, isCut: frame.isCut)
    try film.write(frame) {
      var picture = try space.map { try frame.image.rendered(in: $0) } ?? frame.image
      let shown = update.faces.map {
        (id: $0.id, face: space?.written(in: .pixels).map($0.face) ?? $0.face)
      }
      picture.draw(tracked: shown, style: frames.drawing.style)
      return picture
    }
    tracker = next
    return mot
      ? update.motLines(frame: frame.number, in: space)
      : try TrackingReport(frame, update: update, in: space).json()
  }
}

struct TrackingReport: Encodable {
  /// What `detect` prints about a face, with what tracking adds.
  struct Face: Encodable {
    enum CodingKeys: CodingKey {
      case id, state, duration
    }

    var id: Int
    var state: String
    var duration: TimeReport
    var face: DetectionReport.Face

    init(_ tracked: TrackedFace, isNew: Bool, in space: ViewSpace?) {
      id = tracked.id
      state = isNew ? "new" : "tracked"
      duration = TimeReport(tracked.duration)
      face = DetectionReport.Face(tracked.face, in: space)
    }

    func encode(to encoder: any Encoder) throws {
      try face.encode(to: encoder)
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(id, forKey: .id)
      try container.encode(state, forKey: .state)
      try container.encode(duration, forKey: .duration)
    }
  }

  var frame: Int
  var image: String?
  var time: TimeReport
  /// In ascending order of ID.
  var faces: [Face]
  /// The IDs of faces that were not found in this frame but may come back, and of those that are lost with it.
  var missed, lost: [Int]
  var view: ViewReport?

  init(_ frame: Frame, update: TrackingUpdate, in space: ViewSpace?) {
    self.frame = frame.number
    image = frame.path
    time = TimeReport(frame.time)
    faces =
      update.updated.map { Face($0, isNew: false, in: space) }
      + update.new.map { Face($0, isNew: true, in: space) }
    missed = update.missed.map(\.id)
    lost = update.lost.map(\.id)
    view = space.map(ViewReport.init)
  }
}

extension TrackingUpdate {
  /// The faces found in a frame as MOTChallenge writes tracks (https://motchallenge.net/instructions),
  /// one line each, in ascending order of ID, in the pixels of the view if there is one.
  func motLines(frame: Int, in space: ViewSpace?) -> String {
    faces.map { tracked in
      let face = space?.written(in: .pixels).map(tracked.face) ?? tracked.face
      let box = [face.box.x + 1, face.box.y + 1, face.box.width, face.box.height]
      let numbers = box.map { fixed($0, decimals: 2) } + [fixed(Double(face.score), decimals: 5)]
      return "\(frame + 1),\(tracked.id),\(numbers.joined(separator: ",")),-1,-1,-1"
    }.joined(separator: "\n")
  }
}
