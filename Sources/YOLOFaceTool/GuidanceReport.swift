import YOLOFace

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One frame of a guidance session, as the tool prints it.
struct GuidanceReport: Encodable {
  enum CodingKeys: CodingKey {
    case frame, time, image, state, verdict, tip, goodFrames, faces, view
  }

  var frame: Int
  var time: Double
  var image: String
  var state: String
  var verdict: String
  var tip: String
  var goodFrames: Int
  var faces: [DetectionReport.Face]
  var view: ViewReport?

  /// The session after the frame.
  let session: GuidanceSession
  /// The faces in image pixels.
  let detected: [Face]

  /// - Parameter space: how positions are printed; nil for image pixels.
  init(
    frame: Int, time: Double, path: String, session: GuidanceSession, faces: [Face],
    in space: ViewSpace?
  ) {
    self.frame = frame
    self.time = rounded(time)
    image = path
    state = session.state.rawValue
    verdict = session.verdict?.rawValue ?? ""
    tip = session.tip
    goodFrames = session.goodFrames
    self.faces = faces.map { DetectionReport.Face($0, in: space) }
    view = space.map(ViewReport.init)
    self.session = session
    detected = faces
  }

  /// One line of JSON with sorted keys.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// One line.
  var text: String {
    "\(image): \(fixed(time, decimals: 2)) s  \(state) \(goodFrames)/\(session.options.goodFrames)"
      + "  \(verdict)  \(tip)"
  }
}
