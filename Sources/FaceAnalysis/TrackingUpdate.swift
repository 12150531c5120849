import FaceDecoding

/// A face that a `FaceTracker` follows.
public struct TrackedFace: Identifiable, Hashable, Sendable {
  /// The number that it keeps as long as the tracker follows it, and that no other face gets.
  public let id: Int
  /// The face as it was found when it was last seen.
  public internal(set) var face: Face
  /// When it was first seen.
  public let firstSeen: RationalTime
  /// When it was last seen.
  public internal(set) var lastSeen: RationalTime
  /// From when it was first seen to when it was last seen.
  public internal(set) var duration: RationalTime
  /// In how many of the last frames in a row it was not found; 0 where it was found in the last
  /// one.
  public internal(set) var missedFrames = 0

  /// A face seen for the first time.
  init(id: Int, face: Face, firstSeen: RationalTime) {
    self.id = id
    self.face = face
    self.firstSeen = firstSeen
    lastSeen = firstSeen
    duration = firstSeen.zero
  }
}

/// What a frame changed. Every face that is followed, or was until this frame, is in exactly one of
/// the four lists.
public struct TrackingUpdate: Hashable, Sendable {
  /// The frame's time.
  public let time: RationalTime
  /// Faces seen for the first time, in the order in which they were given.
  public internal(set) var new: [TrackedFace] = []
  /// Faces followed from earlier frames and found in this one, in ascending order of ID.
  public internal(set) var updated: [TrackedFace] = []
  /// Faces not found in this frame but not given up yet, in ascending order of ID.
  public internal(set) var missed: [TrackedFace] = []
  /// Faces given up in this frame, in ascending order of ID. Their IDs are not used again.
  public internal(set) var lost: [TrackedFace] = []

  /// The faces found in this frame, in ascending order of ID.
  public var faces: [TrackedFace] { updated + new }

  init(time: RationalTime) { self.time = time }
}
