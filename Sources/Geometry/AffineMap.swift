// SPDX-License-Identifier: Apache-2.0

/// A linear map and a shift, six numbers:
///
///     x′ = xx · x + xy · y + x0
///     y′ = yx · x + yy · y + y0
public struct AffineMap: Sendable, Hashable {
  /// The coefficient of x in the new x.
  public var xx: Double
  /// The coefficient of y in the new x.
  public var xy: Double
  /// The new x of the origin.
  public var x0: Double
  /// The coefficient of x in the new y.
  public var yx: Double
  /// The coefficient of y in the new y.
  public var yy: Double
  /// The new y of the origin.
  public var y0: Double

  /// A transform from its six numbers, row by row.
  public init(xx: Double, xy: Double, x0: Double, yx: Double, yy: Double, y0: Double) {
    (self.xx, self.xy, self.x0, self.yx, self.yy, self.y0) = (xx, xy, x0, yx, yy, y0)
  }

  static func scaling(x: Double, y: Double) -> AffineMap {
    AffineMap(xx: x, xy: 0, x0: 0, yx: 0, yy: y, y0: 0)
  }

  /// The rotation and scaling with xx = yy and yx = −xy that takes one point to another.
  package init(xx: Double, yx: Double, taking point: Point2D, to target: Point2D) {
    let linear = AffineMap(xx: xx, xy: -yx, x0: 0, yx: yx, yy: xx, y0: 0)
    let place = linear(point)
    self.init(xx: xx, xy: -yx, x0: target.x - place.x, yx: yx, yy: xx, y0: target.y - place.y)
  }

  /// Where the transform takes a point.
  public func callAsFunction(_ point: Point2D) -> Point2D {
    Point2D(x: xx * point.x + xy * point.y + x0, y: yx * point.x + yy * point.y + y0)
  }

  /// The transform that applies this one first, then the next.
  public func then(_ next: AffineMap) -> AffineMap {
    let origin = next(Point2D(x: x0, y: y0))
    return AffineMap(
      xx: next.xx * xx + next.xy * yx, xy: next.xx * xy + next.xy * yy, x0: origin.x,
      yx: next.yx * xx + next.yy * yx, yy: next.yx * xy + next.yy * yy, y0: origin.y)
  }

  /// The transform that undoes this one. That of a singular one has infinite or NaN numbers.
  public var inverse: AffineMap {
    let determinant = xx * yy - xy * yx
    let linear = AffineMap(
      xx: yy / determinant, xy: -xy / determinant, x0: 0,
      yx: -yx / determinant, yy: xx / determinant, y0: 0)
    let origin = linear(Point2D(x: x0, y: y0))
    return AffineMap(
      xx: linear.xx, xy: linear.xy, x0: -origin.x, yx: linear.yx, yy: linear.yy, y0: -origin.y)
  }
}
