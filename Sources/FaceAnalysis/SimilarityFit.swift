// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// The scale, rotation and shift, without reflection, that bring five landmarks nearest to five
/// others, in the sense of least squares: Umeyama, "Least-squares estimation of transformation
/// parameters between two point patterns", 1991.
///
/// In the plane his singular value decomposition reduces to a quotient: with the points as complex
/// numbers about their centroids, z of the source and w of the target,
///
///     c = Σ z̄ · w / Σ |z|²     w ≈ c · z     scale |c|, rotation arg c
public struct SimilarityFit: Hashable, Sendable {
  /// From the source's coordinates to the target's: xx = yy = scale · cos and yx = −xy =
  /// scale · sin of the angle by which the x axis turns towards the y axis.
  public let transform: AffineMap
  /// How far each transformed point remains from the target's, as a fraction of the target's size,
  /// in the order of `Landmarks.points`.
  let relativeResiduals: [Double]
  /// See `CenteredShape.size`.
  private let targetSize: Double

  /// The root mean square distance between the transformed points and the target's, in the target's
  /// units.
  public var residual: Double {
    relativeDistance * targetSize / Double(relativeResiduals.count).squareRoot()
  }

  /// The root of the summed squares of the relative residuals: 0 for the same shape, 1 for shapes
  /// that no transform brings closer.
  var relativeDistance: Double {
    relativeResiduals.reduce(0) { $0 + $1 * $1 }.squareRoot()
  }

  /// Target units per source unit; 0 where no rotation is better than another.
  public var scale: Double {
    (transform.xx * transform.xx + transform.yx * transform.yx).squareRoot()
  }

  /// Fits `source` to `target`.
  ///
  /// - Throws: `ValueError` where a number is NaN, infinite or too large to be squared, or all five points of
  ///   either are the same up to rounding.
  public init(from source: Landmarks, to target: Landmarks) throws(ValueError) {
    let z = try CenteredShape(source)
    let w = try CenteredShape(target)
    var (real, imaginary) = (0.0, 0.0)
    for (z, w) in zip(z.unitOffsets, w.unitOffsets) {
      real += z.x * w.x + z.y * w.y
      imaginary += z.x * w.y - z.y * w.x
    }
    relativeResiduals = zip(z.unitOffsets, w.unitOffsets).map { z, w in
      let x = w.x - (real * z.x - imaginary * z.y)
      let y = w.y - (imaginary * z.x + real * z.y)
      return (x * x + y * y).squareRoot()
    }
    targetSize = w.size
    let ratio = w.size / z.size
    transform = AffineMap(
      xx: ratio * real, yx: ratio * imaginary, taking: z.center, to: w.center)
    let numbers = [transform.xx, transform.yx, transform.x0, transform.y0]
    guard numbers.allSatisfy(\.isFinite) else { throw notFinite }
  }
}

private let notFinite = ValueError(
  "found landmarks that are not finite, expected coordinates in pixels")

/// Points relative to their centroid, in units of their size.
private struct CenteredShape {
  let center: Point2D
  /// The root of the summed squares of the points' distances from the centroid.
  let size: Double
  let unitOffsets: [Point2D]

  init(_ landmarks: Landmarks) throws(ValueError) {
    let points = landmarks.points
    let count = Double(points.count)
    let center = Point2D(
      x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
    let offsets = points.map { Point2D(x: $0.x - center.x, y: $0.y - center.y) }
    let size = offsets.reduce(0) { $0 + $1.x * $1.x + $1.y * $1.y }.squareRoot()
    guard size.isFinite else { throw notFinite }
    // A centroid is exact to a few units in the last place, 10⁻¹⁶ of the coordinates.
    guard size > 1e-12 * max(abs(center.x), abs(center.y)) else {
      throw ValueError("found five landmarks in one place, expected them apart")
    }
    (self.center, self.size) = (center, size)
    unitOffsets = offsets.map { Point2D(x: $0.x / size, y: $0.y / size) }
  }
}
