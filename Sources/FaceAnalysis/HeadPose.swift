import FaceDecoding
import Geometry
import LibC

/// How a head is turned, as it appears in a picture: three angles in degrees, all 0 for a face that
/// is upright and looks at the viewer.
///
/// ```swift
/// if let pose = HeadPose(of: face), abs(pose.yaw) > 30 { print("looks aside") }
/// ```
///
/// A head that faces the viewer is turned by pitch first, then by yaw, then by roll; x points to
/// the picture's right, y down and z at the viewer. As roll comes last, turning the picture changes
/// nothing but the roll.
public struct HeadPose: Hashable, Sendable {
  /// Rotation in the picture's plane, above −180 and up to 180; positive is clockwise in the
  /// picture, the top of the head towards the picture's right.
  public let roll: Double
  /// Turn about the vertical axis of the head, from −90 to 90 when computed from landmarks;
  /// positive is towards the picture's left, which is the person's own right.
  public let yaw: Double
  /// Nod about the axis through both ears, from −90 to 90 when computed from landmarks; positive is
  /// up.
  public let pitch: Double

  /// A pose of these angles in degrees. The roll is reduced to (−180, 180]; one that is not finite
  /// becomes NaN.
  public init(roll: Double, yaw: Double, pitch: Double) {
    let remainder = roll.remainder(dividingBy: 360)
    self.roll = remainder == -180 ? 180 : remainder
    self.yaw = yaw
    self.pitch = pitch
  }

  /// Faces whose eyes would be less than this many pixels apart, seen from the front, have no pose:
  /// half a pixel at the tip of the nose would mean nine degrees.
  public static let minimumEyeDistance = 8.0

  /// How far the landmarks may be from those of the fitted face: the root mean square distance, as
  /// a fraction of that from their own centre. On photographs one set of landmarks in a thousand is
  /// farther off; 99 in 100 sets of random points have no pose.
  static let maximumResidual = 0.25

  /// The pose of the head with these landmarks, or nil where they do not determine it: points that
  /// coincide, lie on one line, are not finite or too close together; and points that fit no view
  /// of a face, such as those of a mirror image whose sides were not exchanged, which only a face
  /// seen from behind would explain.
  ///
  /// A rigid model of an average face is fitted under weak perspective (scaled orthography): the
  /// angles, the size and the position are those whose projection has the least sum of squared
  /// distances from the landmarks. Proportions differ from person to person, and a nose longer or
  /// lower than the model's reads as some degrees of yaw or pitch.
  ///
  /// - Parameter landmarks: in pixels of a picture, which are square; not in fractions of its
  ///   sides.
  public init?(_ landmarks: Landmarks) {
    guard let fit = HeadPoseFit(landmarks.points.map { SIMD2($0.x, $0.y) }),
      fit.eyeDistance >= HeadPose.minimumEyeDistance,
      fit.relativeResidual <= HeadPose.maximumResidual, cos(fit.yaw) * cos(fit.pitch) > 0
    else { return nil }
    func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
    // The angles 180° − yaw, pitch + 180° and roll + 180° give the same view. For a face seen from
    // the front, one of the two has yaw and pitch within 90°.
    self.init(
      roll: degrees(fit.roll) + (cos(fit.yaw) < 0 ? 180 : 0), yaw: degrees(asin(sin(fit.yaw))),
      pitch: degrees(atan(tan(fit.pitch))))
  }

  /// The pose of a face's head by its landmarks; nil where it has none or they do not determine it, as
  /// above, or where a second look found the face upside down, since the landmarks are then wrong.
  ///
  /// - Parameter face: in pixels of a picture, which are square.
  public init?(of face: Face) {
    guard !face.isUpsideDown, let landmarks = face.landmarks else { return nil }
    self.init(landmarks)
  }

  /// The pose of the same head in the upright picture, where this is the pose in the stored
  /// picture.
  public func upright(from orientation: Orientation) -> HeadPose {
    let side: Double = orientation.isMirrored ? -1 : 1
    return HeadPose(
      roll: side * roll + orientation.clockwiseDegrees, yaw: side * yaw, pitch: pitch)
  }

  /// The pose of the same head as seen in a space, where this is the pose in the stored picture. A
  /// view that stretches the picture does not change the pose.
  public func seen(in space: ViewSpace) -> HeadPose {
    let upright = upright(from: space.orientation)
    return space.isMirrored ? upright.upright(from: .upMirrored) : upright
  }
}

extension Orientation {
  /// How far the stored picture, first mirrored left to right where `isMirrored`, is turned
  /// clockwise.
  public var clockwiseDegrees: Double {
    switch self {
    case .up, .upMirrored: 0
    case .right, .rightMirrored: 90
    case .down, .downMirrored: 180
    case .left, .leftMirrored: 270
    }
  }
}
