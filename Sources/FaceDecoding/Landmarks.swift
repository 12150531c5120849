import Geometry

/// Five points of a face.
///
/// Right and left are the person's own sides: in a frontal photograph that is not mirrored,
/// `rightEye` is nearer the picture's left edge.
public struct Landmarks: Sendable, Hashable {
  /// Middle of the person's right eye.
  public var rightEye: Point
  /// Middle of the person's left eye.
  public var leftEye: Point
  /// Tip of the nose.
  public var nose: Point
  /// Corner of the mouth on the person's right side.
  public var rightMouth: Point
  /// Corner of the mouth on the person's left side.
  public var leftMouth: Point

  /// Five points by name.
  public init(
    rightEye: Point, leftEye: Point, nose: Point, rightMouth: Point, leftMouth: Point
  ) {
    self.rightEye = rightEye
    self.leftEye = leftEye
    self.nose = nose
    self.rightMouth = rightMouth
    self.leftMouth = leftMouth
  }

  /// The names of the five points, in the order of `points`.
  public static let names = ["rightEye", "leftEye", "nose", "rightMouth", "leftMouth"]

  /// The five points in the order in which the model gives them.
  public var points: [Point] { [rightEye, leftEye, nose, rightMouth, leftMouth] }

  /// Each point transformed, under the same name.
  ///
  /// - Throws: what `transform` throws.
  public func map<Failure: Error>(
    _ transform: (Point) throws(Failure) -> Point
  ) throws(Failure) -> Landmarks {
    Landmarks(
      rightEye: try transform(rightEye), leftEye: try transform(leftEye),
      nose: try transform(nose),
      rightMouth: try transform(rightMouth), leftMouth: try transform(leftMouth))
  }

  /// The same points with the names right and left exchanged, as a mirror image names them.
  public func swappingSides() -> Landmarks {
    Landmarks(
      rightEye: leftEye, leftEye: rightEye, nose: nose,
      rightMouth: leftMouth, leftMouth: rightMouth)
  }
}
