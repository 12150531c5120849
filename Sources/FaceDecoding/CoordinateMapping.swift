/// A mapping from one coordinate space to another that keeps upright rectangles upright, and its
/// inverse.
///
/// A conforming type maps points and says whether it mirrors the picture; rectangles, landmarks and
/// faces follow from that. `unmap` undoes `map` up to floating-point rounding.
public protocol CoordinateMapping: Sendable {
  /// Where a point lies in the target space.
  func map(_ point: Point) -> Point
  /// Where a point of the target space came from.
  func unmap(_ point: Point) -> Point
  /// Whether what is seen in the target space is a mirror image, in which a person's right eye looks
  /// like a left eye. Landmarks then exchange their sides, in both directions.
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

  /// The mapped points, named as a detector that looks at the target space would name them.
  public func map(_ landmarks: Landmarks) -> Landmarks {
    let mapped = landmarks.map { map($0) }
    return swapsSides ? mapped.swappingSides() : mapped
  }

  /// The unmapped points, named as a detector that looks at the source space would name them.
  public func unmap(_ landmarks: Landmarks) -> Landmarks {
    let unmapped = landmarks.map { unmap($0) }
    return swapsSides ? unmapped.swappingSides() : unmapped
  }

  /// The face with its box and landmarks mapped; scores stay, and so does what a second look found.
  public func map(_ face: Face) -> Face {
    var mapped = face
    mapped.box = map(face.box)
    mapped.landmarks = map(face.landmarks)
    return mapped
  }

  /// The face with its box and landmarks unmapped; scores stay, and so does what a second look found.
  public func unmap(_ face: Face) -> Face {
    var unmapped = face
    unmapped.box = unmap(face.box)
    unmapped.landmarks = unmap(face.landmarks)
    return unmapped
  }
}
