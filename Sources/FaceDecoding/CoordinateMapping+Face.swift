import Geometry

extension CoordinateMapping {
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
    mapped.landmarks = face.landmarks.map { map($0) }
    return mapped
  }

  /// The face with its box and landmarks unmapped; scores stay, and so does what a second look found.
  public func unmap(_ face: Face) -> Face {
    var unmapped = face
    unmapped.box = unmap(face.box)
    unmapped.landmarks = face.landmarks.map { unmap($0) }
    return unmapped
  }
}
