// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry
import YOLOFaceLibC

/// Where a box is and how it moves: a Kalman filter for nearly constant velocity, whose
/// acceleration is white noise (Bar-Shalom, Li and Kirubarajan, "Estimation with Applications to
/// Tracking and Navigation", 2001, section 6.2.2).
///
/// Noise is stated in sides, a side being √(width · height) of the box: a near face moves and
/// jitters by more pixels than a far one.
///
/// The box of a face that goes behind something is around its visible part, and its centre does not
/// move as the face does. So where a found box falls short of the expected width, its centre x and
/// its width are uncertain by about the shortfall, and likewise for the height.
///
/// Found boxes are distributed about the expected one by Student's t, whose tails are heavier than
/// a normal distribution's: faces jerk, and a box may be another face's.
struct BoxMotion: Sendable {
  /// Variance of a found box's numbers about the true ones, in sides².
  private static let measurementVariance = 0.05 * 0.05
  /// Variance of a face's unknown velocity, in sides² per second².
  private static let initialVelocityVariance = 9.0
  /// Spectral density of the acceleration, in sides² per second³: in a second, a face's velocity
  /// changes by about the root of this.
  private static let accelerationDensity = 1.0
  /// The largest variance, in sides², with which a found box is compared: otherwise a face seen
  /// only for a moment, long ago, would be improbable anywhere.
  private static let largestVariance = 0.25
  /// Variance of a found box along an axis, as a multiple of its squared shortfall there. Above 1,
  /// since the expected box has already lost part of what was hidden in the frames before.
  private static let lackVariance = 2.0
  private static let degreesOfFreedom = 10.0
  private static let dimensions = 4.0

  /// Centre x, centre y, width, height.
  private var position: SIMD4<Double>
  /// The same, per second.
  private var velocity = SIMD4<Double>.zero
  private var positionVariance = SIMD4(repeating: measurementVariance)
  private var covariance = SIMD4<Double>.zero
  private var velocityVariance = SIMD4(repeating: initialVelocityVariance)

  /// A motion that begins at a box, with an unknown velocity.
  init(_ box: Box) { position = Self.vector(of: box) }

  /// The estimated box. It may be degenerate where it shrank or the numbers diverged.
  var box: Box {
    Box(
      center: Point2D(x: position[0], y: position[1]),
      size: Size2D(width: position[2], height: position[3]))
  }

  /// Predicts the motion this many seconds ahead.
  mutating func advance(by seconds: Double) {
    let noise: Double = Self.accelerationDensity * seconds
    position += seconds * velocity
    let spread: SIMD4<Double> = seconds * (velocityVariance + noise / 3)
    positionVariance += seconds * (2 * covariance + spread)
    covariance += seconds * (velocityVariance + noise / 2)
    velocityVariance += noise
  }

  mutating func shift(by shift: SIMD2<Double>) { position.lowHalf += shift }

  mutating func accelerate(by velocity: SIMD2<Double>) { self.velocity.lowHalf += velocity }

  /// How improbable it is to find this motion's box here: −ln of the density, shifted by a constant
  /// so that its least value is 0. A motion that has become uncertain is less probable everywhere.
  func improbability(of found: Box) -> Double {
    guard !box.isDegenerate else { return .infinity }
    let limit = SIMD4(repeating: Self.largestVariance)
    let sum = positionVariance + Self.measurementVariance
    let variance = sum.replacing(with: limit, where: sum .> limit)
    let difference = Self.vector(of: found) - position
    let distanceSquared = (difference * difference / variance).sum() / box.area
    let widening = variance / Self.measurementVariance
    return (Self.degreesOfFreedom + Self.dimensions) / 2
      * log(1 + distanceSquared / Self.degreesOfFreedom)
      + log(widening[0] * widening[1] * widening[2] * widening[3]) / 2
  }

  /// Corrects the estimate with a box found at the current time.
  mutating func correct(with found: Box) {
    let innovation = Self.vector(of: found) - position
    let noise = Self.measurementVariance + Self.lackVariance * lackSquared(innovation)
    let total = positionVariance + noise
    position += positionVariance / total * innovation
    velocity += covariance / total * innovation
    velocityVariance -= covariance * covariance / total
    // Rounding must not make a variance negative.
    velocityVariance.replace(with: 0, where: velocityVariance .< 0)
    covariance *= noise / total
    positionVariance *= noise / total
  }

  /// The squares, in sides², of how far a found box falls short of the expected width (for x and
  /// width) and height (for y and height); 0 where it does not.
  private func lackSquared(_ innovation: SIMD4<Double>) -> SIMD4<Double> {
    let (width, height) = (min(0, innovation[2]), min(0, innovation[3]))
    let lack = SIMD4(width, height, width, height)
    return lack * lack / box.area
  }

  private static func vector(of box: Box) -> SIMD4<Double> {
    SIMD4(box.center.x, box.center.y, box.width, box.height)
  }
}
