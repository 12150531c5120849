// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceLibC

/// How alike the five landmarks of two faces are, whatever the position, size and roll of the
/// faces.
///
/// Five points show the head's pose and something of the expression. They do not tell who it is:
/// two people who look in the same direction are more alike than one person who looks in two.
///
/// The measure is the full Procrustes distance (Dryden and Mardia, "Statistical Shape Analysis",
/// 1998, chapter 4): what remains when the first points, of size 1, are scaled and turned, not
/// reflected, to come nearest to the second.
public struct LandmarkSimilarity: Hashable, Sendable {
  /// Whether the first face was mirrored before the comparison.
  public let isMirrored: Bool
  /// The full Procrustes distance, from 0 for the same shape to 1; up to rounding, the same in both
  /// directions.
  public let distance: Double
  /// How far each landmark of the first, fitted to the second, remains from the second's, as a
  /// fraction of the second's size; in the order of `Landmarks.points`. The root of their summed
  /// squares is `distance`.
  public let residuals: [Double]
  /// The first's landmarks fitted to the second's, in the second's coordinates and with the
  /// second's names.
  public let overlay: Landmarks

  /// The distance as a score from 100, for the same shape, towards 0: 100 · 2^(−distance / 0.1).
  public var score: Double { 100 * exp2(-distance / 0.1) }

  /// Compares two faces' landmarks.
  ///
  /// - Parameters:
  ///   - first: a face's landmarks, in coordinates that keep circles round.
  ///   - second: the other's, likewise; y points the same way in both.
  ///   - isMirrored: whether the first is mirrored, left and right exchanged, as when someone
  ///     imitates a face on the screen like their own reflection.
  /// - Throws: `ValueError` where five points coincide or a number is not finite.
  public init(
    of first: Landmarks, and second: Landmarks, isMirrored: Bool = false
  ) throws(ValueError) {
    self.isMirrored = isMirrored
    let first = isMirrored ? first.map { Point2D(x: -$0.x, y: $0.y) }.swappingSides() : first
    let fit = try SimilarityFit(from: first, to: second)
    distance = min(1, fit.relativeDistance)
    overlay = first.map { fit.transform($0) }
    residuals = fit.relativeResiduals
  }
}
