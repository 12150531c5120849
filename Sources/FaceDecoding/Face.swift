// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

// A user imports this module alone; a face is written in points and rectangles.
@_exported import YOLOFaceGeometry

/// A detected face: how sure the detector is, where the face is, and its five landmarks if the model
/// gives any.
///
/// A detector's results are in image pixels. The same type holds a candidate, still in network
/// input pixels, and a face mapped to another space by a `CoordinateMapping`.
public struct Face: Sendable, Hashable {
  /// Confidence, 0 to 1, as the model's `FaceHead` scores.
  public var score: Float
  /// The rectangle around the face. It may reach over the picture's edges.
  public var box: Box
  /// Eyes, nose and mouth corners, which may lie outside the box and outside the picture; nil where
  /// the model finds none.
  public var landmarks: Landmarks?
  /// Whether a second look, as `SearchEffort.checked` takes it, found the face nearer to upside down than to upright.
  /// Its landmarks, which take it for upright, are then wrong. False without a second look.
  public var isMarkedUpsideDown = false

  /// A face from its parts, not marked as upside down.
  public init(score: Float, box: Box, landmarks: Landmarks? = nil) {
    (self.score, self.box, self.landmarks) = (score, box, landmarks)
  }
}

/// Five points of a face.
///
/// Right and left are the person's own sides: in a frontal photograph that is not mirrored,
/// `rightEye` is nearer the picture's left edge.
public struct Landmarks: Sendable, Hashable, Codable {
  /// Middle of the person's right eye.
  public var rightEye: Point2D
  /// Middle of the person's left eye.
  public var leftEye: Point2D
  /// Tip of the nose.
  public var nose: Point2D
  /// Corner of the mouth on the person's right side.
  public var rightMouth: Point2D
  /// Corner of the mouth on the person's left side.
  public var leftMouth: Point2D

  /// Five points by name.
  public init(
    rightEye: Point2D, leftEye: Point2D, nose: Point2D, rightMouth: Point2D, leftMouth: Point2D
  ) {
    (self.rightEye, self.leftEye, self.nose) = (rightEye, leftEye, nose)
    (self.rightMouth, self.leftMouth) = (rightMouth, leftMouth)
  }

  /// The five points that a function gives by their number, in the order of `points`.
  package init(_ point: (Int) -> Point2D) {
    self.init(
      rightEye: point(0), leftEye: point(1), nose: point(2), rightMouth: point(3),
      leftMouth: point(4))
  }

  /// The names of the five points, in the order of `points`.
  public static let names = ["rightEye", "leftEye", "nose", "rightMouth", "leftMouth"]

  /// The five points in the order in which the model gives them.
  public var points: [Point2D] { [rightEye, leftEye, nose, rightMouth, leftMouth] }

  /// Each point transformed, under the same name.
  ///
  /// - Throws: what `transform` throws.
  public func map<Failure: Error>(
    _ transform: (Point2D) throws(Failure) -> Point2D
  ) throws(Failure) -> Landmarks {
    Landmarks(
      rightEye: try transform(rightEye), leftEye: try transform(leftEye), nose: try transform(nose),
      rightMouth: try transform(rightMouth), leftMouth: try transform(leftMouth))
  }

  /// The same points with the names right and left exchanged, as a mirror image names them.
  public func swappingSides() -> Landmarks {
    Landmarks(
      rightEye: leftEye, leftEye: rightEye, nose: nose,
      rightMouth: leftMouth, leftMouth: rightMouth)
  }
}

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

  /// The face with its box and landmarks mapped; `score` and `isMarkedUpsideDown` stay.
  public func map(_ face: Face) -> Face {
    var mapped = face
    mapped.box = map(face.box)
    mapped.landmarks = face.landmarks.map { map($0) }
    return mapped
  }

  /// The face with its box and landmarks unmapped; `score` and `isMarkedUpsideDown` stay.
  public func unmap(_ face: Face) -> Face {
    var unmapped = face
    unmapped.box = unmap(face.box)
    unmapped.landmarks = face.landmarks.map { unmap($0) }
    return unmapped
  }
}
