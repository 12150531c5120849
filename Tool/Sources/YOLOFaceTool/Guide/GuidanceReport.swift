import FaceReport
import Formatting
import YOLOFace

/// One frame of a guidance session, as the tool prints it.
struct GuidanceReport: Encodable {
  enum CodingKeys: CodingKey {
    case frame, time, image, state, verdict, tip, goodFrames, faces, view
  }

  var frame: Int
  var time: TimeReport
  /// The picture's path; nil for raw frames.
  var image: String?
  var state: String
  var verdict: String
  var tip: String
  var goodFrames: Int
  var faces: [DetectionReport.Face]
  var view: ViewReport?

  /// How many good frames in a row finish the session.
  private let goodFramesNeeded: Int

  /// A report with positions in a space; nil for image pixels.
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
    goodFramesNeeded = session.options.goodFrames
  }

  /// One line.
  var text: String {
    "\(image.map(printable) ?? "frame \(frame)"): \(fixed(time.seconds, decimals: 2)) s"
      + "  \(state) \(goodFrames)/\(goodFramesNeeded)"
      + "  \(verdict)  \(tip)"
  }
}
