import YOLOFace

// Without Foundation's internationalisation, which takes time to load.
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One frame of `yoloface track`, as the tool prints it.
struct TrackingReport: Encodable {
  struct Time: Encodable {
    var value: Int64
    var timescale: Int32

    init(_ time: RationalTime) {
      value = time.value
      timescale = time.timescale
    }
  }

  /// What `detect` prints of a face, and what tracking adds.
  struct Face: Encodable {
    enum CodingKeys: CodingKey {
      case id, state, duration
    }

    var id: Int
    var state: String
    var duration: Time
    var face: DetectionReport.Face

    init(_ tracked: TrackedFace, isNew: Bool, in space: ViewSpace?) {
      id = tracked.id
      state = isNew ? "new" : "tracked"
      duration = Time(tracked.duration)
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
  var time: Time
  /// The faces found in this frame, by rising ID.
  var faces: [Face]
  /// The IDs of faces that were not found in this frame but may come back.
  var missed: [Int]
  /// The IDs of faces that were given up in this frame.
  var lost: [Int]
  var view: ViewReport?

  init(frame: Int, path: String?, update: TrackingUpdate, in space: ViewSpace?) {
    self.frame = frame
    image = path
    time = Time(update.time)
    faces =
      update.updated.map { Face($0, isNew: false, in: space) }
      + update.new.map { Face($0, isNew: true, in: space) }
    missed = update.missed.map(\.id)
    lost = update.lost.map(\.id)
    view = space.map(ViewReport.init)
  }

  /// One line of JSON with sorted keys.
  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
