/// What a `GuidanceSession` requires of a frame, and how long it lasts.
public struct GuidanceOptions: Hashable, Sendable {
  /// How many good frames in a row finish the session; below 1 counts as 1.
  public var goodFrames = 10
  /// How long after it begins the session times out; nil for never.
  public var timeLimit: Duration? = .seconds(10)
  /// How far the middle of the face's box may be from the middle of the circle, as a fraction of the
  /// radius.
  public var maximumOffset = 0.3
  /// How long the longer side of the face's box may be, as a fraction of the circle's diameter.
  public var sizes = 0.5...0.95
  /// How many degrees roll, yaw and pitch may each be from 0, in the view.
  public var maximumAngle = 25.0
  /// How far the landmarks and the corners of the box may have moved since the frame before, on
  /// average, as a fraction of the box's longer side.
  public var maximumMovement = 0.05

  /// The defaults.
  public init() {}
}
