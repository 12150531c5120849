import FaceDecoding
import Geometry

/// Where faces are in each frame of a sequence, also in those in which the detector loses them.
///
/// A detector loses a face for a frame now and then. If it is lost for no more than a number of frames, its box
/// is interpolated. Otherwise the box stays for that many frames where the face was last seen, and for as many
/// before the face is seen again where it is seen then. Where three faces or more show that the camera turns, it
/// moves with the picture. Where staying and interpolating disagree, since a face moved fast or two were mistaken
/// for one, the face gets up to three boxes. The boxes of a frame are known only that many frames later.
///
/// ```swift
/// var bridge = try FaceBridge(frames: 10, interval: RationalTime(value: 1, timescale: 30))
/// for frame in frames {
///   let boxes = try bridge.add(faces(in: frame))  // of the frame ten frames earlier
/// }
/// let rest = bridge.end()
/// ```
public struct FaceBridge: Sendable {
  /// For how many frames a face is assumed to be where it was seen, and by how many frames the boxes
  /// are late.
  public let frames: Int

  /// The lengths that a bridge may have.
  public static let lengths = 0...300

  private let interval: RationalTime
  private var tracker: FaceTracker
  private var camera = CameraPath()
  private var time: RationalTime
  private var added = 0
  private var given = 0
  /// The frames and boxes in which each face was seen, oldest first, by its ID.
  private var sightings: [Int: [(frame: Int, box: Rectangle)]] = [:]

  /// A bridge for a sequence of frames.
  ///
  /// - Parameters:
  ///   - frames: the bridge's length, clamped to `lengths`.
  ///   - interval: the time from each frame to the next, above 0.
  /// - Throws: `RationalTimeError` where the interval is too long to be counted with.
  public init(frames: Int, interval: RationalTime) throws(RationalTimeError) {
    self.frames = min(max(frames, Self.lengths.lowerBound), Self.lengths.upperBound)
    self.interval = interval
    time = try RationalTime(value: 0, timescale: interval.timescale)
    var gap = interval
    for _ in 0..<self.frames { gap = try gap.adding(interval) }
    tracker = FaceTracker(maximumGap: gap)
  }

  /// Adds the faces found in the next frame.
  ///
  /// - Parameter faces: at most `FaceTracker.maximumFaces`.
  /// - Returns: the boxes in the frame that came `frames` frames earlier, in the order of the faces'
  ///   first sightings; nil where that is before the first frame.
  /// - Throws: `FaceTrackerError` as `FaceTracker.update`.
  public mutating func add(_ faces: [Face]) throws(FaceTrackerError) -> [Rectangle]? {
    let update = try tracker.update(faces, at: time)
    do throws(RationalTimeError) { time = try time.adding(interval) } catch {
      throw .unrepresentableTime(error)
    }
    camera.add(faces.map(\.box), frame: added)
    for face in update.faces {
      sightings[face.id, default: []].append((added, face.face.box))
    }
    added += 1
    return added - given > frames ? next() : nil
  }

  /// The boxes in the remaining frames, after the last one was added.
  public mutating func end() -> [[Rectangle]] {
    (given..<added).map { _ in next() }
  }

  private mutating func next() -> [Rectangle] {
    let frame = given
    given += 1
    let ids = sightings.keys.sorted()
    let boxes = ids.flatMap { self.boxes(in: frame, of: sightings[$0] ?? []) }
    for id in ids { forget(id, before: frame) }
    camera.forget(before: frame - frames - 1)
    return boxes
  }

  /// Where a face may be in a frame; nowhere if it is not expected there.
  private func boxes(
    in frame: Int, of sightings: [(frame: Int, box: Rectangle)]
  ) -> [Rectangle] {
    func held(_ sighting: (frame: Int, box: Rectangle)) -> Rectangle {
      camera.box(sighting.box, from: sighting.frame, to: frame)
    }
    let before = sightings.last { $0.frame <= frame }
    let after = sightings.first { $0.frame >= frame }
    if let before, let after {
      let share = Double(frame - before.frame) / Double(max(1, after.frame - before.frame))
      let between = before.box.mixed(with: after.box, share: share)
      let others = [held(before), held(after)]
      return others.allSatisfy { $0.intersectionOverUnion(with: between) > 0.5 }
        ? [between] : [between] + others
    }
    if let before, frame - before.frame <= frames { return [held(before)] }
    if let after, after.frame - frame <= frames { return [held(after)] }
    return []
  }

  /// Drops the sightings that no later frame depends on.
  private mutating func forget(_ id: Int, before frame: Int) {
    guard var seen = sightings[id] else { return }
    while seen.count > 1, seen[1].frame <= frame { seen.removeFirst() }
    let isPast = seen.count == 1 && frame - seen[0].frame > frames
    sightings[id] = isPast ? nil : seen
  }
}

extension Rectangle {
  /// The rectangle between this one and another, whose share is from 0 to 1.
  fileprivate func mixed(with other: Rectangle, share: Double) -> Rectangle {
    Rectangle(
      x: x + share * (other.x - x), y: y + share * (other.y - y),
      width: width + share * (other.width - width),
      height: height + share * (other.height - height))
  }
}
