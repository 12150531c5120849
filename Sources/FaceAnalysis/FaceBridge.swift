// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// Where faces are in each frame of a sequence, also in those in which the detector loses them.
///
/// A face that is lost for at most `frames` frames has a box between those before and after, and one that is lost for
/// up to three times as long from when the second is known. Otherwise it stays for `frames` frames where it was last
/// seen; and for as many, it is where it will be seen next. Where three faces or more show that the camera turns, boxes
/// move with the picture. Where staying and interpolating disagree, since a face moved fast or two were mistaken for
/// one, the face has up to three boxes; one that moved has a second box where it is if it moves on, or came in this
/// way. So the boxes of a frame are known `frames` frames later.
///
/// A blurred face that leaps across the picture is a new face to the tracker each time it is seen. So a new face may
/// continue the nearest one that was lost shortly before: the distance between them is its leap.
///
/// A number is one person's. Where a face comes so near to another that they may be mistaken for each other, or was
/// unseen for longer than a tenth of a second, so that someone else may have come into its place, it goes on under a
/// new number. In the tenth of a second before, and where it is unseen, it may have either.
public struct FaceBridge: Sendable {
  /// A box that a face may have in a frame.
  public struct Place: Hashable, Sendable {
    /// The number of the face, which no other person has; it may be seen again under another.
    public let id: Int
    /// The number of a face that went on under this one, since it may be another person; nil for a new face.
    public let formerID: Int?
    /// The numbers that it may have in this frame in place of `id`.
    public let otherIDs: [Int]
    /// The box.
    public let box: Box

    /// A box of a face.
    public init(id: Int, formerID: Int? = nil, otherIDs: [Int] = [], box: Box) {
      (self.id, self.formerID, self.otherIDs, self.box) = (id, formerID, otherIDs, box)
    }
  }

  /// For how many frames a face is assumed to be where it was seen, and by how many frames the boxes
  /// are late.
  public let frames: Int
  /// The lengths that a bridge may have.
  public static let lengths = 0...300

  /// How many frames last a third of a second, rounded up: ten of 30 in a second.
  ///
  /// - Parameter interval: the time from one frame to the next.
  public static func usualFrames(at interval: RationalTime) -> Int {
    let count = (1 / (3 * interval.seconds) - 1e-6).rounded(.up)
    return Int(min(max(count, 1), Double(lengths.upperBound)))
  }

  private let interval: RationalTime
  /// For how many frames a face may be unseen and have a box between those before and after.
  private let longestGap: Int
  /// How many frames apart two sightings may be without someone else coming into the face's place.
  private let certainFrames: Int
  private var tracker: FaceTracker
  private var camera = CameraPath()
  private var time: RationalTime
  private var added = 0
  private var given = 0
  /// The frames with which scenes begin, oldest first.
  private var cuts: [Int] = []
  /// Where each face was seen, oldest first, by the tracker's ID: in one scene.
  private var sightings: [Int: [Sighting]] = [:]
  private var nextNumber = 1

  private struct Sighting {
    var frame: Int
    var box: Box
    /// The face's number, and the one that it had before someone else may have come into its place.
    var (number, former) = (0, nil as Int?)
    /// How far the face moved per frame since its sighting before, in its own sizes; nil for the first.
    var leap: SIMD2<Double>?
    /// The same, smoothed.
    var drift: SIMD2<Double>?

    var size: Double { box.area.squareRoot() }

    /// - Parameter share: that of the leap in the drift.
    init(frame: Int, box: Box, after previous: Sighting?, share: Double = 1) {
      (self.frame, self.box) = (frame, box)
      guard let previous else { return }
      let unit = Double(max(1, frame - previous.frame)) * size
      let way = SIMD2(
        box.center.x - previous.box.center.x, box.center.y - previous.box.center.y)
      let leap = way / unit
      self.leap = leap
      drift = previous.drift.map { $0 + share * (leap - $0) } ?? leap
    }

    var speed: Double { leap.map { ($0 * $0).sum().squareRoot() } ?? 0 }
  }

  /// The longest leaps by which a face is continued, in sizes of the face for each frame, and how much larger or
  /// smaller it may be after them.
  private static let (longestLeap, largestChange) = (1.5, 1.5)
  /// Among how many lost faces a new one is sought.
  private static let mostContinued = 256
  /// The shortest leaps of which the last one alone says how a face moves on.
  private static let shortestLeap = 0.25
  /// The shortest way from where a face was seen at which it has a box of its own, in sizes of the face.
  private static let shortestWay = 0.2
  /// How long a face may be unseen, and for how long its number is doubtful before it changes, in seconds.
  private static let certainTime = 0.1

  /// A bridge of a length, clamped to `lengths`, for frames at a positive interval.
  ///
  /// - Throws: `ValueError` where the interval is too long to be counted with.
  public init(frames: Int, interval: RationalTime) throws(ValueError) {
    self.frames = min(max(frames, Self.lengths.lowerBound), Self.lengths.upperBound)
    self.interval = interval
    longestGap = 3 * self.frames
    certainFrames = max(1, Int(min(Self.certainTime / interval.seconds + 1e-6, 1e6)))
    time = RationalTime(zeroIn: interval)
    var gap = interval
    for _ in 0..<longestGap { gap = try gap.adding(interval) }
    tracker = FaceTracker(maximumGap: gap)
  }

  /// Adds the faces found in the next frame; no face stays beyond a cut, the first frame of a scene.
  ///
  /// - Returns: the places in the frame that came `frames` frames earlier, in the order of the faces'
  ///   first sightings; nil where that is before the first frame.
  /// - Throws: `ValueError` as `FaceTracker.update`.
  public mutating func add(
    _ faces: [Face], isCut: Bool = false
  ) throws(ValueError) -> [Place]? {
    let update = try tracker.update(faces, at: time, isCut: isCut)
    time = try time.adding(interval)
    if isCut {
      cuts.append(added)
      camera.cut()
    }
    camera.add(faces.map(\.box), frame: added)
    var lost = lostSightings(besides: Set(update.faces.map(\.id)))
    for face in update.faces {
      let box = face.face.box
      let seen = sightings[face.id] ?? []
      let previous = seen.last ?? continued(by: box, among: &lost)
      var sighting = Sighting(
        frame: added, box: box, after: previous, share: min(1, 3 / Double(max(frames, 1))))
      if let last = seen.last, !face.mayBeAnother, added - last.frame <= certainFrames {
        (sighting.number, sighting.former) = (last.number, last.former)
      } else {
        (sighting.number, sighting.former) = (nextNumber, seen.last?.number)
        nextNumber += 1
      }
      sightings[face.id] = seen + [sighting]
    }
    added += 1
    return added - given > frames ? next() : nil
  }

  /// The places in the remaining frames, after the last one was added.
  public mutating func end() -> [[Place]] {
    (given..<added).map { _ in next() }
  }

  /// The last sightings of the faces that were lost shortly before; none where they are too many to tell apart.
  private func lostSightings(besides seen: Set<Int>) -> [Sighting] {
    let lost = sightings.filter { id, sightings in
      let last = sightings.last?.frame ?? .min / 2
      return !seen.contains(id) && added - last <= frames && isOneScene(last, added)
    }
    guard lost.count <= Self.mostContinued else { return [] }
    // Not by the order of a dictionary.
    return lost.sorted { $0.key < $1.key }.compactMap(\.value.last)
  }

  private func isOneScene(_ frame: Int, _ other: Int) -> Bool {
    !cuts.contains { min(frame, other) < $0 && $0 <= max(frame, other) }
  }

  /// Takes the nearest lost face that a new one may continue: no other continues it.
  private func continued(by box: Box, among lost: inout [Sighting]) -> Sighting? {
    let near = lost.indices.filter { index in
      let next = Sighting(frame: added, box: box, after: lost[index])
      let change = next.size / lost[index].size
      return next.speed <= Self.longestLeap && change <= Self.largestChange
        && change >= 1 / Self.largestChange
    }
    let nearest = near.min {
      lost[$0].box.center.distance(to: box.center) < lost[$1].box.center.distance(to: box.center)
    }
    return nearest.map { lost.remove(at: $0) }
  }

  private mutating func next() -> [Place] {
    let frame = given
    given += 1
    let ids = sightings.keys.sorted()
    let places = ids.flatMap { id in
      let seen = sightings[id] ?? []
      let numbered = numbers(in: frame, of: seen)
      let others = numbered.dropLast().map(\.number)
      return boxes(in: frame, of: seen).compactMap { box in
        numbered.last.map {
          Place(id: $0.number, formerID: $0.former, otherIDs: others, box: box)
        }
      }
    }
    for id in ids { forget(id, before: frame) }
    camera.forget(before: frame - longestGap - 1)
    cuts.removeAll { $0 < frame - longestGap }
    return places
  }

  /// A sighting for each number that a face may have in a frame, the oldest first.
  private func numbers(in frame: Int, of sightings: [Sighting]) -> [Sighting] {
    let before = sightings.last { $0.frame <= frame }
    let after = sightings.first { $0.frame >= frame }
    let soon = sightings.filter { $0.frame > frame && $0.frame <= frame + certainFrames }
    var result: [Sighting] = []
    for sighting in [before, after].compactMap(\.self) + soon
    where !result.contains(where: { $0.number == sighting.number }) {
      result.append(sighting)
    }
    return result
  }

  /// Where a face may be in a frame; nowhere if it is not expected there.
  private func boxes(in frame: Int, of sightings: [Sighting]) -> [Box] {
    guard let first = sightings.first, isOneScene(first.frame, frame) else { return [] }
    func held(_ sighting: Sighting) -> Box {
      camera.box(sighting.box, from: sighting.frame, to: frame)
    }
    /// Where the face is if it stays, and if it moves on.
    func stayingOrMoving(_ sighting: Sighting, by mover: Sighting) -> [Box] {
      let motion = mover.speed >= Self.shortestLeap ? mover.leap : mover.drift
      let way = Double(frame - sighting.frame) * (motion ?? .zero)
      guard (way * way).sum() >= Self.shortestWay * Self.shortestWay else {
        return [held(sighting)]
      }
      return [held(sighting), sighting.box.moved(by: mover.size * way)]
    }
    let before = sightings.last { $0.frame <= frame }
    let after = sightings.first { $0.frame >= frame }
    if let before, let after {
      let share = Double(frame - before.frame) / Double(max(1, after.frame - before.frame))
      let between = before.box.mixed(with: after.box, share: share)
      let others = [before, after].filter { abs(frame - $0.frame) <= frames }.map(held)
      return others.allSatisfy { $0.intersectionOverUnion(with: between) > 0.5 }
        ? [between] : [between] + others
    }
    if let before, frame - before.frame <= frames { return stayingOrMoving(before, by: before) }
    if let after, after.frame - frame <= frames {
      let leaps = after.leap == nil ? sightings.dropFirst().first ?? after : after
      let mover = leaps.speed >= Self.shortestLeap ? leaps : sightings.prefix(frames).last ?? after
      return stayingOrMoving(after, by: mover)
    }
    return []
  }

  /// Drops the sightings that no later frame depends on.
  private mutating func forget(_ id: Int, before frame: Int) {
    guard var seen = sightings[id] else { return }
    while seen.count > 1, seen[1].frame <= frame { seen.removeFirst() }
    let isPast = seen.count == 1 && frame - seen[0].frame > longestGap
    sightings[id] = isPast ? nil : seen
  }
}

extension Box {
  /// The rectangle between this one and another, whose share is from 0 to 1.
  fileprivate func mixed(with other: Box, share: Double) -> Box {
    Box(
      x: x + share * (other.x - x), y: y + share * (other.y - y),
      width: width + share * (other.width - width),
      height: height + share * (other.height - height))
  }
}
