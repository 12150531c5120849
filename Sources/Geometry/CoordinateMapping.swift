/// A mapping from one coordinate space to another that keeps upright rectangles upright, and its
/// inverse.
///
/// A conforming type maps points and says whether it mirrors the picture; rectangles follow from
/// that, and so do landmarks and faces. `unmap` undoes `map` up to floating-point rounding.
public protocol CoordinateMapping: Sendable {
  /// A point of the source space, in the target space.
  func map(_ point: Point) -> Point
  /// A point of the target space, in the source space.
  func unmap(_ point: Point) -> Point
  /// Whether the target space shows a mirror image, in which a person's right eye looks like a left
  /// eye. Landmarks then exchange their sides, in both directions.
  var swapsSides: Bool { get }
}

extension CoordinateMapping {
  /// The rectangle between two mapped opposite corners, so that its sides stay positive.
  public func map(_ rectangle: Rectangle) -> Rectangle {
    Rectangle(
      corner: map(Point(x: rectangle.minX, y: rectangle.minY)),
      opposite: map(Point(x: rectangle.maxX, y: rectangle.maxY)))
  }

  /// The rectangle of the source space between two unmapped opposite corners.
  public func unmap(_ rectangle: Rectangle) -> Rectangle {
    Rectangle(
      corner: unmap(Point(x: rectangle.minX, y: rectangle.minY)),
      opposite: unmap(Point(x: rectangle.maxX, y: rectangle.maxY)))
  }
}
