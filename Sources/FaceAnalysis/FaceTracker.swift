// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// Follows faces through the frames of a video and gives each an ID that it keeps.
///
/// Every face has a motion model, a Kalman filter of its box's centre and size, which predicts
/// where it is in the current frame; the found faces are then assigned to the expected ones so that
/// all pairs together are the most probable. So IDs survive while faces cross. (After Bewley et
/// al., "Simple Online and Realtime Tracking", 2016, but with time in seconds, so that frames may
/// be dropped, and with probabilities instead of overlaps.)
public struct FaceTracker: Sendable {
  /// The most faces in a frame, and the most followed at a time. The cost of a frame grows with the
  /// square of their number, and at worst, where all overlap, with the cube.
  public static let maximumFaces = 2048

  /// How long a face may go unseen and keep its ID, from the time it was last seen to the frame in
  /// which it comes back. It should be longer than the time between two frames.
  public let maximumGap: RationalTime
  /// The time of the last frame; nil before the first.
  public private(set) var time: RationalTime?

  /// A face missed in more frames than this has no vote on the camera's motion: it may be gone, or
  /// never have been one.
  private static let mostMissedFramesOfVoters = 2

  private var tracks: [Track] = []
  private var nextID = 1
  /// How fast the camera's motion moves all faces, in pixels per second.
  private var cameraVelocity = SIMD2(0.0, 0.0)

  /// A tracker that has seen no face. With a gap of 0 or below, every face of every frame is new.
  public init(maximumGap: RationalTime = RationalTime(seconds: 1)) {
    self.maximumGap = maximumGap
  }

  /// The faces that are followed, including those missed lately, in ascending order of ID.
  public var faces: [TrackedFace] { tracks.map(\.face) }

  /// Adds the faces found in a frame.
  ///
  /// A face that comes back after `maximumGap` is a new one. Where more than `maximumFaces` would
  /// have to be followed, those missing for the longest time are lost first.
  ///
  /// - Parameters:
  ///   - faces: in coordinates that stay the same from frame to frame; those whose box is degenerate
  ///     are left out.
  ///   - time: the frame's time, after that of the frame before.
  ///   - isCut: whether the frame begins another scene: all faces before it are lost.
  /// - Throws: `ValueError`; the tracker is then unchanged.
  public mutating func update(
    _ faces: [Face], at time: RationalTime, isCut: Bool = false
  ) throws(ValueError) -> TrackingUpdate {
    if let previous = self.time, time <= previous {
      throw ValueError("found a frame at \(time), expected one after \(previous)")
    }
    let found = faces.filter { !$0.box.isDegenerate }
    guard found.count <= Self.maximumFaces else {
      throw ValueError(
        "found \(found.count) faces in a frame, expected at most \(Self.maximumFaces)")
    }
    var update = TrackingUpdate(time: time)
    let seconds = try time.subtracting(self.time ?? time).seconds
    let (lasting, lost) = isCut ? ([], tracks.map(\.face)) : try advanced(to: time, by: seconds)
    update.lost = lost
    let (moved, velocity) = followingCamera(lasting, by: found, after: seconds)
    tracks = try tracked(found, by: moved, &update)
    cameraVelocity = velocity
    self.time = time
    return update
  }

  /// The tracks as expected at a later time if the camera stands still, and the faces that have been unseen
  /// for too long.
  private func advanced(
    to time: RationalTime, by seconds: Double
  ) throws(ValueError) -> (lasting: [Track], lost: [TrackedFace]) {
    var (lasting, lost): ([Track], [TrackedFace]) = ([], [])
    for var track in tracks {
      if try time.subtracting(track.face.lastSeen) > maximumGap {
        lost.append(track.face)
      } else {
        track.motion.advance(by: seconds)
        lasting.append(track)
      }
    }
    return (lasting, lost)
  }

  /// The tracks moved by the camera's motion up to a frame's time, and the camera's velocity.
  ///
  /// The camera's motion is the shift that most of the faces seen lately share; where they share none, it stays as it
  /// was. Where the faces are too few to share one, the camera could stop unnoticed: so each face takes the camera's
  /// motion for its own, and a new face is expected to stay where it is.
  private func followingCamera(
    _ tracks: [Track], by faces: [Face], after seconds: Double
  ) -> (tracks: [Track], velocity: SIMD2<Double>) {
    var tracks = tracks
    var shift = seconds * cameraVelocity
    var velocity = SIMD2(0.0, 0.0)
    let recent = tracks.filter { $0.face.missedFrames <= Self.mostMissedFramesOfVoters }
    if recent.count >= CommonShift.fewestVoters {
      shift =
        CommonShift.shift(
          from: recent.map(\.motion.box), expecting: shift, to: faces.map(\.box)) ?? shift
      velocity = shift / seconds
    } else {
      for index in tracks.indices { tracks[index].motion.accelerate(by: cameraVelocity) }
    }
    for index in tracks.indices { tracks[index].motion.shift(by: shift) }
    return (tracks, velocity)
  }

  /// The tracks after a frame, in ascending order of ID; the update records what became of each.
  private mutating func tracked(
    _ faces: [Face], by tracks: [Track], _ update: inout TrackingUpdate
  ) throws(ValueError) -> [Track] {
    let partners = associate(
      tracks.map(\.motion), isMissing: tracks.map { $0.face.missedFrames > 0 },
      with: faces.map(\.box))
    var (seen, missed): ([Track], [Track]) = ([], [])
    for (var track, partner) in zip(tracks, partners) {
      if let partner {
        try track.take(faces[partner.box], at: update.time)
        track.face.mayBeAnother = partner.hasRival
        seen.append(track)
      } else {
        track.face.missedFrames += 1
        missed.append(track)
      }
    }
    update.updated = seen.map(\.face)
    let known = Set(partners.compactMap { $0?.box })
    for (index, face) in faces.enumerated() where !known.contains(index) {
      let new = Track(id: nextID, face: face, firstSeen: update.time)
      nextID += 1
      seen.append(new)
      update.new.append(new.face)
    }
    let excess = max(0, seen.count + missed.count - Self.maximumFaces)
    if excess > 0 {
      missed.sort { ($0.face.lastSeen, $0.face.id) < ($1.face.lastSeen, $1.face.id) }
      update.lost = (update.lost + missed.prefix(excess).map(\.face)).sorted { $0.id < $1.id }
      missed = missed.dropFirst(excess).sorted { $0.face.id < $1.face.id }
    }
    update.missed = missed.map(\.face)
    return (seen + missed).sorted { $0.face.id < $1.face.id }
  }
}

private struct Track: Sendable {
  var face: TrackedFace
  var motion: BoxMotion

  init(id: Int, face: Face, firstSeen: RationalTime) {
    self.face = TrackedFace(id: id, face: face, firstSeen: firstSeen)
    motion = BoxMotion(face.box)
  }

  mutating func take(_ found: Face, at time: RationalTime) throws(ValueError) {
    face.duration = try time.subtracting(face.firstSeen)
    face.lastSeen = time
    face.missedFrames = 0
    face.face = found
    motion.correct(with: found.box)
  }
}

/// A face that a `FaceTracker` follows.
public struct TrackedFace: Identifiable, Codable, Hashable, Sendable {
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
  /// In how many of the last frames in a row it was not found.
  public internal(set) var missedFrames = 0
  /// Whether it was so near to another, seen or missed, when it was last seen that either may have got the other's ID.
  public internal(set) var mayBeAnother = false

  init(id: Int, face: Face, firstSeen: RationalTime) {
    (self.id, self.face, self.firstSeen) = (id, face, firstSeen)
    lastSeen = firstSeen
    duration = RationalTime(zeroIn: firstSeen)
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
  /// Faces given up in this frame, in ascending order of ID.
  public internal(set) var lost: [TrackedFace] = []

  /// The faces found in this frame, in ascending order of ID.
  public var faces: [TrackedFace] { updated + new }

  init(time: RationalTime) { self.time = time }
}
