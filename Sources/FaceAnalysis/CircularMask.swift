import Geometry

/// A round hole through which a view shows its picture, and in which a face is wanted.
///
/// A circle whose numbers are not finite, or whose radius is not above 0, holds nothing.
public struct CircularMask: Hashable, Sendable {
  /// The middle.
  public var center: Point
  /// Half the width of the hole, in the units of the centre.
  public var radius: Double

  /// A circle of these numbers, in any one coordinate space.
  public init(center: Point, radius: Double) {
    self.center = center
    self.radius = radius
  }

  /// The circle in the space from which a mapping leads to this one: from a view's coordinates to
  /// image pixels, for a `ViewSpace`.
  ///
  /// A mapping that stretches the picture, as `Gravity.resize` and coordinates in fractions do, makes
  /// an ellipse of a circle. Then it is the largest circle in that ellipse: what lies in it lies in
  /// the ellipse as well.
  public func unmapped(by mapping: some CoordinateMapping) -> CircularMask {
    let square = mapping.unmap(square)
    return CircularMask(
      center: mapping.unmap(center), radius: min(square.width, square.height) / 2)
  }

  /// The circle in the space to which a mapping leads: `unmapped(by:)` in the other direction.
  public func mapped(by mapping: some CoordinateMapping) -> CircularMask {
    let square = mapping.map(square)
    return CircularMask(center: mapping.map(center), radius: min(square.width, square.height) / 2)
  }

  /// Whether any of it lies in a picture of this size, whose corner is at 0, 0.
  package func touches(_ size: Size) -> Bool {
    let nearest = Point(
      x: min(max(center.x, 0), size.width), y: min(max(center.y, 0), size.height))
    return center.distance(to: nearest) < radius
  }

  /// The square around the circle. A mapping gives every rectangle sides that are not negative, so
  /// that of a negative radius it would make a hole.
  private var square: Rectangle {
    let side = 2 * max(0, radius)
    return Rectangle(center: center, size: Size(width: side, height: side))
  }
}
