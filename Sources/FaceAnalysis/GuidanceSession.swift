// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// Guides a person who looks into a camera until the face is in a circle, near enough, straight and
/// still for some frames in a row.
///
/// A session has no clock: every call takes the time since a fixed instant of the caller's choice.
public struct GuidanceSession: Sendable {
  /// The state of a session.
  ///
  ///     waiting ── begin ──► start ◄── bad frame ── checking ── enough good frames ──► finish
  ///                            └──── good frame ────────►
  ///
  /// From start and checking the time limit leads to time-out.
  public enum State: String, CaseIterable, Hashable, Sendable {
    /// Before `begin(at:)`: frames get a verdict, but do not count, and no time runs.
    case waiting
    /// The last frame was not good, or there was none yet.
    case start
    /// The last frame was good; more in a row are needed.
    case checking
    /// There were enough good frames in a row.
    case finish
    /// The time limit passed first.
    case timeOut
  }

  /// The current state.
  public private(set) var state = State.waiting
  /// The verdict on the last frame; nil before the first.
  public private(set) var verdict: GuidanceVerdict?
  /// How many good frames in a row there have been.
  public private(set) var goodFrames = 0
  /// The circle in image pixels.
  public let circle: CircularMask
  /// How the picture is seen.
  public let view: ViewSpace
  /// What is required of a frame.
  public let options: GuidanceOptions
  private var beginning = Duration.zero
  private var previous: Face?

  /// A session that waits for `begin(at:)`. The circle is in the coordinates of the view, in which all
  /// frames are seen; they have its `imageSize`.
  public init(
    circle: CircularMask, in view: ViewSpace, options: GuidanceOptions = GuidanceOptions()
  ) {
    self.circle = circle.unmapped(by: view)
    (self.view, self.options) = (view, options)
  }

  /// Whether the session finished or timed out: further frames get a verdict, but change nothing.
  public var isOver: Bool { state == .finish || state == .timeOut }

  /// What to tell the person now.
  public var tip: String {
    switch state {
    case .waiting: "Please get ready"
    case .start, .checking: (verdict ?? .noFace).tip
    case .finish: "Done, thank you"
    case .timeOut: "Time is up, please try again"
    }
  }

  /// Begins, or begins again: the time limit counts from here.
  public mutating func begin(at instant: Duration) {
    state = .start
    goodFrames = 0
    beginning = instant
  }

  /// Lets time pass without a frame, so that the session times out even if no frame comes.
  public mutating func advance(to instant: Duration) {
    guard state == .start || state == .checking, let limit = options.timeLimit else { return }
    if instant - beginning >= limit { state = .timeOut }
  }

  /// Judges a frame and returns the verdict. A frame that comes after the time is up no longer
  /// counts.
  ///
  /// - Parameters:
  ///   - faces: all faces that count, see `FaceSelection`, in image pixels of the stored picture;
  ///     those whose box is degenerate are left out.
  ///   - instant: the time of the frame, on the same clock as that of `begin(at:)`.
  @discardableResult
  public mutating func update(_ faces: [Face], at instant: Duration) -> GuidanceVerdict {
    let faces = faces.filter { !$0.box.isDegenerate }
    let verdict = judge(faces)
    self.verdict = verdict
    previous = faces.count == 1 ? faces.first : nil
    advance(to: instant)
    guard state == .start || state == .checking else { return verdict }
    goodFrames = verdict == .success ? goodFrames + 1 : 0
    state =
      goodFrames == 0 ? .start : goodFrames >= options.goodFrames ? .finish : .checking
    return verdict
  }

  /// Each condition is written so that NaN fails it.
  private func judge(_ faces: [Face]) -> GuidanceVerdict {
    guard let face = faces.first else { return .noFace }
    guard faces.count == 1 else { return .severalFaces }
    let offset = face.box.center.distance(to: circle.center)
    guard circle.radius > 0, offset <= options.maximumOffset * circle.radius else {
      return .outsideCircle
    }
    let size = face.box.longerSide / (2 * circle.radius)
    guard size >= options.sizes.lowerBound else { return .tooSmall }
    guard size <= options.sizes.upperBound else { return .tooLarge }
    guard let pose = HeadPose(of: face)?.seen(in: view),
      [pose.roll, pose.yaw, pose.pitch].allSatisfy({ abs($0) <= options.maximumAngle })
    else { return .turnedAway }
    guard previous.map({ movement(from: $0, to: face) <= options.maximumMovement }) ?? true else {
      return .holdStill
    }
    return .success
  }
}

/// The mean distance between a face's points in two frames, as a fraction of the box's longer side.
private func movement(from old: Face, to new: Face) -> Double {
  func points(_ face: Face) -> [Point2D] {
    let box = face.box
    // Only one of the two faces may have landmarks.
    return [Point2D(x: box.minX, y: box.minY), Point2D(x: box.maxX, y: box.maxY)]
      + (face.landmarks?.points ?? [])
  }
  let distances = zip(points(old), points(new)).map { $0.distance(to: $1) }
  return distances.reduce(0, +) / Double(distances.count) / new.box.longerSide
}

/// What a `GuidanceSession` requires of a frame, and how long it lasts.
public struct GuidanceOptions: Hashable, Sendable {
  /// How many good frames in a row finish the session; below 1 counts as 1.
  public var goodFrames = 10
  /// How long the session may last before it times out; nil for no limit.
  public var timeLimit: Duration? = .seconds(10)
  /// How far the centre of the face's box may be from that of the circle, in radii.
  public var maximumOffset = 0.3
  /// How long the longer side of the face's box may be, as a fraction of the circle's diameter.
  public var sizes = 0.5...0.95
  /// How far roll, yaw and pitch may each be from 0, in degrees, as seen in the view.
  public var maximumAngle = 25.0
  /// How far the landmarks and the corners of the box may have moved since the frame before, on
  /// average, as a fraction of the box's longer side.
  public var maximumMovement = 0.05

  /// The defaults.
  public init() {}
}

/// The verdict on one frame of a `GuidanceSession`: the first thing wrong with it, in the order of
/// the cases, or that it is good.
public enum GuidanceVerdict: String, CaseIterable, Hashable, Sendable {
  /// There is no face.
  case noFace
  /// There is more than one face.
  case severalFaces
  /// The centre of the face's box is too far from the centre of the circle.
  case outsideCircle
  /// The face is too small for the circle.
  case tooSmall
  /// The face is too large for the circle.
  case tooLarge
  /// Yaw, roll or pitch is too large, or the pose cannot be determined.
  case turnedAway
  /// The face moved since the frame before.
  case holdStill
  /// Nothing is wrong.
  case success

  /// What to tell the person.
  public var tip: String {
    switch self {
    case .noFace: "Please put your face into the frame"
    case .severalFaces: "Only one face, please"
    case .outsideCircle: "Please move your face into the circle"
    case .tooSmall: "Please come closer"
    case .tooLarge: "Please move back a little"
    case .turnedAway: "Please look straight into the camera"
    case .holdStill: "Please hold still"
    case .success: "Good, stay like this"
    }
  }
}
