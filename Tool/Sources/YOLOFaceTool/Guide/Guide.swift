// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceFormatting
import YOLOFaceReport

struct Guide: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Guides a face into a circle, frame by frame.",
    discussion: """
      Frames are \(Picture.formats) pictures in order of time (in a directory, by the numbers in their names), those of a film, or raw \
      frames on standard input. Prints for each the state of the session (start, checking, finish, \
      timeOut), the verdict on the frame (noFace, severalFaces, outsideCircle, tooSmall, tooLarge, \
      turnedAway, holdStill, success) and what to tell the person. A frame that cannot be read or \
      written is skipped with a message; its time still passes.

      yoloface guide --help-hidden lists all options.

      Examples:
        yoloface guide frames --circle 320,240,150
        yoloface guide frames --circle 195,380,150 --view 390x844 --gravity aspect-fill --mirror
        yoloface guide frames --circle 320,240,150 --json --annotate guided --frame-rate 30000/1001
        yoloface guide frames --circle 320,240,150 --select biggest --max-faces 1
        yoloface guide film.mp4 --circle 320,240,150 --annotate guided.mp4
        yoloface guide --raw 640x480 --circle 320,240,150 < film.bgra
      """)

  @OptionGroup var frames: FrameOptions
  @OptionGroup(visibility: .hidden) var model: ModelOptions
  @OptionGroup(title: "How faces are searched for") var search: SearchOptions
  @OptionGroup(title: "Which faces") var selection: SelectionOptions
  @OptionGroup(title: "How positions are given, printed and drawn") var view: ViewOptions

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      The circle for the face: its centre and radius, in pixels of the picture, or of the view if \
      one is given.
      """, valueName: "x,y,radius"))
  var circle: CircularMask

  @Option(
    parsing: .unconditional, help: "The number of good frames in a row that finish the session.")
  var goodFrames = 10

  @Option(
    help: ArgumentHelp(
      "The time after which the session times out, such as 10, 0.5 or 1001/30000.",
      valueName: "seconds"))
  var timeOut = 10 as PositiveFraction

  @Flag(help: "Print a JSON object for each frame, one per line.")
  var json = false

  func validate() throws { try requireNumber("--good-frames", goodFrames, in: 1...1_000_000) }

  func run() throws {
    let film = try Film(frames, besides: model.files)
    let detector = try model.detector(threads: search.threads, longSide: search.longSide)
    try requireLandmarks(of: detector, for: "guide")
    var session: GuidanceSession?
    try film.forEach { try judge($0, of: film, with: detector, &session) }
  }

  /// Judges a frame. The first one begins the session, whose clock starts with frame 0.
  private func judge(
    _ frame: Frame, of film: Film, with detector: FaceDetector, _ session: inout GuidanceSession?
  ) throws -> String {
    let space = try view.space(of: frame.image)
    var current = try session ?? begin(in: space ?? ViewSpace(imageSize: frame.image.size))
    guard current.view.imageSize == frame.image.size else {
      throw frame.unequal(frame.image, to: current.view.imageSize)
    }
    let options = search.detection(in: space, effort: .checked)
    let found = try detector.detect(in: frame.image, options: options)
    let faces = selection.select(from: found, of: frame.image, in: space)
    current.update(faces, at: frame.time.duration)
    try film.write(frame) {
      var picture = space == nil ? frame.image : try frame.image.rendered(in: current.view)
      picture.drawGuidance(
        circle: circle, faces: faces.map { current.view.map($0) },
        isGood: current.verdict == .success, tip: current.tip, style: frames.drawing.style)
      return picture
    }
    session = current
    let report = GuidanceReport(frame, session: current, faces: faces, in: space)
    return json ? try report.json() : report.text(ofGoodFrames: goodFrames)
  }

  private func begin(in space: ViewSpace) throws -> GuidanceSession {
    let seen = space.canvasSize
    guard circle.touches(seen) else {
      throw ValidationError(
        "--circle is outside the \(seen.inPixels) pixels that are shown: give one inside them.")
    }
    var options = GuidanceOptions()
    options.goodFrames = goodFrames
    options.timeLimit = try timeOut.seconds.duration
    var session = GuidanceSession(circle: circle, in: space.written(in: .pixels), options: options)
    session.begin(at: .zero)
    return session
  }
}

struct GuidanceReport: Encodable {
  var frame: Int
  var time: TimeReport
  var image: String?
  var state, verdict, tip: String
  var goodFrames: Int
  var faces: [DetectionReport.Face]
  var view: ViewReport?

  init(_ frame: Frame, session: GuidanceSession, faces: [Face], in space: ViewSpace?) {
    self.frame = frame.number
    time = TimeReport(frame.time)
    image = frame.path
    state = session.state.rawValue
    verdict = session.verdict?.rawValue ?? ""
    tip = session.tip
    goodFrames = session.goodFrames
    self.faces = faces.map { DetectionReport.Face($0, in: space) }
    view = space.map(ViewReport.init)
  }

  /// The frame's line; so many good frames finish the session.
  func text(ofGoodFrames needed: Int) -> String {
    "\(image.map(printable) ?? "frame \(frame)"): \(fixed(time.seconds, decimals: 2)) s"
      + "  \(state) \(goodFrames)/\(needed)  \(verdict)  \(tip)"
  }
}
