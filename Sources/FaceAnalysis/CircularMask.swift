// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// The round hole through which a view shows its picture, and in which the face should be.
///
/// A circle whose numbers are not finite, or whose radius is not above 0, contains nothing.
public struct CircularMask: Hashable, Sendable {
  /// The centre.
  public var center: Point2D
  /// The radius, in the units of the centre.
  public var radius: Double

  /// A circle in any coordinate space.
  public init(center: Point2D, radius: Double) {
    (self.center, self.radius) = (center, radius)
  }

  /// The circle in the source space of a mapping: for a `ViewSpace`, from the view's coordinates to
  /// image pixels. Where the mapping stretches the circle to an ellipse, the largest circle in that.
  public func unmapped(by mapping: some CoordinateMapping) -> CircularMask {
    // A mapping makes all sides positive, and so would make a hole of a negative radius.
    let side = 2 * max(0, radius)
    let square = mapping.unmap(Box(center: center, size: Size2D(width: side, height: side)))
    return CircularMask(center: mapping.unmap(center), radius: square.shorterSide / 2)
  }

  /// Whether any part of it is inside a picture of this size, whose corner is at 0, 0; never of an infinite one.
  public func touches(_ size: Size2D) -> Bool {
    let nearest = Point2D(
      x: min(max(center.x, 0), size.width), y: min(max(center.y, 0), size.height))
    return radius.isFinite && center.distance(to: nearest) < radius
  }
}
