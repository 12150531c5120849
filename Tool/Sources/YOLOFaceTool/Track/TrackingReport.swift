import FaceReport
import YOLOFace

/// One frame of `yoloface track`, as the tool prints it.
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
  /// The picture's path; nil for raw frames.
  var image: String?
  var time: TimeReport
  /// The faces found in this frame, in ascending order of ID.
  var faces: [Face]
  /// The IDs of faces that were not found in this frame but may come back.
  var missed: [Int]
  /// The IDs of faces that were lost in this frame.
  var lost: [Int]
  var view: ViewReport?

  /// A report with positions in a space; nil for image pixels.
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
