// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceLibC

/// How a head is turned, as it appears in a picture: three angles in degrees, all 0 for a face that
/// is upright and looks at the viewer.
///
/// A head that faces the viewer is turned by pitch first, then by yaw, then by roll; x points to
/// the picture's right, y down and z at the viewer. As roll comes last, turning the picture changes
/// nothing but the roll.
public struct HeadPose: Hashable, Codable, Sendable {
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
    (self.yaw, self.pitch) = (yaw, pitch)
  }

  /// Faces whose eyes would be less than this many pixels apart, seen from the front, have no pose:
  /// half a pixel at the tip of the nose would mean nine degrees.
  private static let minimumEyeDistance = 8.0

  /// How far the landmarks may be from those of the fitted face: the root mean square distance, as
  /// a fraction of that from their own centre. On photographs one set of landmarks in a thousand is
  /// farther off; 99 in 100 sets of random points have no pose.
  private static let maximumResidual = 0.25

  /// The pose of the head with these landmarks, or nil where they determine none: points that coincide, lie on one
  /// line, are too close together or not finite; and points that fit no view of a face from the front, such as those
  /// of a mirror image whose sides were not exchanged.
  ///
  /// - Parameter landmarks: in pixels of a picture, which are square; not in fractions of its
  ///   sides.
  public init?(_ landmarks: Landmarks) {
    guard let fit = HeadPoseFit(landmarks.points.map { SIMD2($0.x, $0.y) }),
      fit.eyeDistance >= Self.minimumEyeDistance,
      fit.relativeResidual <= Self.maximumResidual, cos(fit.yaw) * cos(fit.pitch) > 0
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
    guard !face.isMarkedUpsideDown, let landmarks = face.landmarks else { return nil }
    self.init(landmarks)
  }

  /// The pose of the same head in the upright picture, where this is that in the stored one.
  public func upright(from orientation: Orientation) -> HeadPose {
    let side: Double = orientation.isMirrored ? -1 : 1
    return HeadPose(roll: side * roll + orientation.clockwiseDegrees, yaw: side * yaw, pitch: pitch)
  }

  /// The pose of the same head as seen in a space, where this is that in the stored picture. A view
  /// that stretches the picture does not change the pose.
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

/// The view of `faceModel` under weak perspective (scaled orthography) that is nearest to five points
/// of a picture.
///
/// Points of the plane are complex numbers x + iy. A view is c · m(yaw, pitch) + position, where m
/// are the model's points, turned and without their z, and the complex number c holds size and roll
/// as its magnitude and angle. The least-squares position and c follow from m in closed form, so
/// that only two angles are left to search for (variable projection, Golub and Pereyra 1973).
///
/// The search is the Levenberg–Marquardt method, starting with the face seen from the front: the
/// first step goes to the side to which the nose points, away from the second solution that flat
/// models have.
struct HeadPoseFit {
  /// The points about their centre, scaled to a root mean square distance of 1 from it.
  private let target: [SIMD2<Double>]
  /// The root mean square distance of the points from their centre.
  private let spread: Double
  private var view = ModelView(yaw: 0, pitch: 0)
  private var similarity = SIMD2(0.0, 0.0)
  private var residual: [SIMD2<Double>]

  /// In radians, of no particular range.
  var yaw: Double { view.yaw }
  /// In radians, of no particular range.
  var pitch: Double { view.pitch }
  /// In radians, from −π to π.
  var roll: Double { atan2(similarity.y, similarity.x) }

  /// How far apart the points of the eyes would be if the face were seen from the front.
  var eyeDistance: Double { length(similarity) * spread }

  /// Root mean square of the distances between points and view, as a fraction of `spread`.
  var relativeResidual: Double { (squaredLength(residual) / Double(target.count)).squareRoot() }

  /// The fit to five points in the order of `Landmarks.points`; nil where a number is not finite,
  /// or where all points are the same.
  init?(_ points: [SIMD2<Double>]) {
    let center = points.reduce(SIMD2(0, 0), +) / Double(points.count)
    let offsets = points.map { $0 - center }
    spread = (squaredLength(offsets) / Double(points.count)).squareRoot()
    guard spread.isFinite, spread > 0 else { return nil }
    let scale = 1 / spread
    target = offsets.map { $0 * scale }
    residual = target
    _ = take(view)
    search()
  }

  private mutating func search() {
    var damping = 1e-3
    for _ in 0..<50 {
      let step = step(damping: damping)
      guard length(step) > 1e-10 else { break }
      damping *= take(ModelView(yaw: yaw + step.x, pitch: pitch + step.y)) ? 0.1 : 10
    }
  }

  /// Accepts a view, with its best size and roll, if it is nearer to the target than the last one.
  private mutating func take(_ view: ModelView) -> Bool {
    let similarity = inner(view.points, target) / squaredLength(view.points)
    let residual = zip(target, view.points).map { $0 - product(similarity, $1) }
    guard squaredLength(residual) < squaredLength(self.residual) else { return false }
    (self.view, self.similarity, self.residual) = (view, similarity, residual)
    return true
  }

  /// The change of yaw and pitch that would leave the least residual if the view were linear in them.
  private func step(damping: Double) -> SIMD2<Double> {
    let byYaw = freed(view.derivativesByYaw)
    let byPitch = freed(view.derivativesByPitch)
    let a = squaredLength(byYaw) * (1 + damping)
    let b = inner(byYaw, byPitch).x
    let d = squaredLength(byPitch) * (1 + damping)
    let determinant = a * d - b * b
    guard determinant > 0 else { return SIMD2(0, 0) }
    let (yawSide, pitchSide) = (inner(byYaw, residual).x, inner(byPitch, residual).x)
    return SIMD2(d * yawSide - b * pitchSide, a * pitchSide - b * yawSide) / determinant
  }

  /// How the placed view changes, without what a change of size and roll would give as well.
  private func freed(_ derivatives: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let share = inner(view.points, derivatives) / squaredLength(view.points)
    return zip(derivatives, view.points).map { product(similarity, $0 - product(share, $1)) }
  }
}

/// The model about its centre, turned by pitch and then by yaw, without its z; and the derivatives
/// of that by the angles.
private struct ModelView {
  let yaw: Double
  let pitch: Double
  private(set) var points: [SIMD2<Double>] = []
  private(set) var derivativesByYaw: [SIMD2<Double>] = []
  private(set) var derivativesByPitch: [SIMD2<Double>] = []

  init(yaw: Double, pitch: Double) {
    (self.yaw, self.pitch) = (yaw, pitch)
    let (cosYaw, sinYaw) = (cos(yaw), sin(yaw))
    let (cosPitch, sinPitch) = (cos(pitch), sin(pitch))
    let center = faceModel.reduce(SIMD3(0, 0, 0), +) / Double(faceModel.count)
    for point in faceModel {
      let offset = point - center
      let y = offset.y * cosPitch - offset.z * sinPitch
      let z = offset.y * sinPitch + offset.z * cosPitch
      points.append(SIMD2(offset.x * cosYaw - z * sinYaw, y))
      derivativesByYaw.append(SIMD2(-offset.x * sinYaw - z * cosYaw, 0))
      derivativesByPitch.append(SIMD2(-y * sinYaw, -z))
    }
  }
}

private func product(_ a: SIMD2<Double>, _ b: SIMD2<Double>) -> SIMD2<Double> {
  SIMD2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x)
}

/// The sum of the products of each conjugate in `a` with its counterpart in `b`.
private func inner(_ a: [SIMD2<Double>], _ b: [SIMD2<Double>]) -> SIMD2<Double> {
  zip(a, b).reduce(SIMD2(0, 0)) { $0 + product(SIMD2($1.0.x, -$1.0.y), $1.1) }
}

private func squaredLength(_ points: [SIMD2<Double>]) -> Double {
  points.reduce(0) { sum, point in sum + (point * point).sum() }
}

private func length(_ point: SIMD2<Double>) -> Double { (point * point).sum().squareRoot() }

/// The landmarks, in the order of `Landmarks.points`, on a rigid, symmetrical face of average
/// proportions, which are fitted to portraits: see `fit_head.py`.
///
/// The unit is the distance between the eyes and the origin the point midway between them. Seen
/// from the front and upright, x points to the picture's right (the person's left), y down and z at
/// the viewer.
private let faceModel: [SIMD3<Double>] = [
  SIMD3(-0.5, 0, 0),
  SIMD3(0.5, 0, 0),
  SIMD3(0, 0.55, 0.60),
  SIMD3(-0.42, 0.99, 0.02),
  SIMD3(0.42, 0.99, 0.02),
]
