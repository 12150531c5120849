// SPDX-License-Identifier: Apache-2.0

/// A position, by default in the canonical space: image pixels, origin at the picture's top left
/// corner, x to the right, y down. (0, 0) is the corner of the first pixel, not its centre, so a
/// picture covers [0, width] × [0, height].
public struct Point2D: Sendable, Hashable {
  /// Distance from the left edge.
  public var x: Double
  /// Distance from the top edge.
  public var y: Double

  /// A position from its two coordinates.
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// The length of the straight line to another position.
  public func distance(to other: Point2D) -> Double {
    let (x, y) = (x - other.x, y - other.y)
    return (x * x + y * y).squareRoot()
  }
}

/// The extent of a picture, a view or an anchor, in the units of the space it belongs to.
public struct Size2D: Sendable, Hashable, Codable {
  /// Horizontal extent.
  public var width: Double
  /// Vertical extent.
  public var height: Double

  /// An extent from its two sides.
  public init(width: Double, height: Double) { (self.width, self.height) = (width, height) }
}

/// An axis-aligned rectangle: its corner with the smallest coordinates, and its extent.
///
/// In the canonical space that corner is the top left one; in a space whose y points up it is the
/// bottom left one. Any numbers are allowed; a rectangle that encloses nothing `isDegenerate`.
public struct Box: Sendable, Hashable, Codable {
  /// The smallest x, its left edge.
  public var x: Double
  /// The smallest y: the top edge where y points down.
  public var y: Double
  /// Horizontal extent.
  public var width: Double
  /// Vertical extent.
  public var height: Double

  /// A rectangle from its corner with the smallest coordinates and its extent.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// A rectangle from its centre and its extent, as a detector states it.
  public init(center: Point2D, size: Size2D) {
    self.init(
      x: center.x - size.width / 2, y: center.y - size.height / 2,
      width: size.width, height: size.height)
  }

  /// The rectangle between two opposite corners, in any order: no side is negative.
  public init(corner: Point2D, opposite: Point2D) {
    self.init(
      x: min(corner.x, opposite.x), y: min(corner.y, opposite.y),
      width: abs(corner.x - opposite.x), height: abs(corner.y - opposite.y))
  }

  /// The smallest x, the same as `x`.
  public var minX: Double { x }
  /// The smallest y, the same as `y`.
  public var minY: Double { y }
  /// The largest x.
  public var maxX: Double { x + width }
  /// The largest y.
  public var maxY: Double { y + height }
  /// The centre.
  public var center: Point2D { Point2D(x: x + width / 2, y: y + height / 2) }

  /// The area enclosed; 0 where a side is negative, zero or NaN.
  ///
  /// It is measured between the edges, as an intersection is, so that a rectangle's
  /// `intersectionOverUnion` with itself is exactly 1, whatever the rounding.
  public var area: Double { max(0, maxX - minX) * max(0, maxY - minY) }

  /// The larger of width and height.
  public var longerSide: Double { max(width, height) }
  /// The smaller of width and height.
  public var shorterSide: Double { min(width, height) }

  /// Whether it encloses no area, or an infinite one: a side is zero or negative, or a number is
  /// NaN or infinite.
  public var isDegenerate: Bool { !(area > 0 && area.isFinite) }

  /// Whether a point is inside or on an edge; false where a number is NaN.
  public func contains(_ point: Point2D) -> Bool {
    point.x >= minX && point.x <= maxX && point.y >= minY && point.y <= maxY
  }

  /// The area of the intersection divided by the area of the union (IoU, the Jaccard index): from
  /// 0 for rectangles that do not overlap to 1 for equal ones. 0 where either is degenerate.
  public func intersectionOverUnion(with other: Box) -> Double {
    let intersection = intersectionArea(with: other)
    return intersection > 0 ? intersection / (area + other.area - intersection) : 0
  }

  /// The area of the intersection; 0 where either is degenerate.
  public func intersectionArea(with other: Box) -> Double {
    if isDegenerate || other.isDegenerate { return 0 }
    let width = min(maxX, other.maxX) - max(minX, other.minX)
    let height = min(maxY, other.maxY) - max(minY, other.minY)
    return width > 0 && height > 0 ? width * height : 0
  }

  /// The part inside a picture of this size. A rectangle wholly outside becomes one of zero area on
  /// the nearest edge of the picture.
  public func clipped(to size: Size2D) -> Box {
    let (left, right) = (max(0, min(minX, size.width)), max(0, min(maxX, size.width)))
    let (top, bottom) = (max(0, min(minY, size.height)), max(0, min(maxY, size.height)))
    return Box(x: left, y: top, width: right - left, height: bottom - top)
  }
}

/// A mapping from one coordinate space to another that keeps upright rectangles upright, and its
/// inverse.
///
/// A conforming type maps points and says whether it mirrors the picture; rectangles follow from
/// that, and so do landmarks and faces. `unmap` undoes `map` up to floating-point rounding.
public protocol CoordinateMapping: Sendable {
  /// A point of the source space, in the target space.
  func map(_ point: Point2D) -> Point2D
  /// A point of the target space, in the source space.
  func unmap(_ point: Point2D) -> Point2D
  /// Whether the target space shows a mirror image, in which a person's right eye looks like a left
  /// eye. Landmarks then exchange their sides, in both directions.
  var swapsSides: Bool { get }
}

extension CoordinateMapping {
  /// The rectangle between two mapped opposite corners, so that its sides stay positive.
  public func map(_ rectangle: Box) -> Box {
    Box(
      corner: map(Point2D(x: rectangle.minX, y: rectangle.minY)),
      opposite: map(Point2D(x: rectangle.maxX, y: rectangle.maxY)))
  }

  /// The rectangle of the source space between two unmapped opposite corners.
  public func unmap(_ rectangle: Box) -> Box {
    Box(
      corner: unmap(Point2D(x: rectangle.minX, y: rectangle.minY)),
      opposite: unmap(Point2D(x: rectangle.maxX, y: rectangle.maxY)))
  }
}
