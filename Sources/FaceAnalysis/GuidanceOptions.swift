/// What a `GuidanceSession` requires of a frame, and how long it lasts.
public struct GuidanceOptions: Hashable, Sendable {
  /// How many good frames in a row finish the session; below 1 counts as 1.
  public var goodFrames = 10
  /// How long the session may last before it times out; nil for no limit.
  public var timeLimit: Duration? = .seconds(10)
  /// How far the centre of the face's box may be from that of the circle, as a fraction of the
  /// radius.
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
