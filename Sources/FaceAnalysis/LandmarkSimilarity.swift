import FaceDecoding
import Geometry
import LibC

/// How alike two faces hold their five landmarks, wherever the faces are, however large and however
/// turned in the picture's plane.
///
/// Five points tell the head's pose and something of the expression. They do not tell who it is: two
/// people who look the same way are more alike than one person who looks two ways.
///
/// The measure is the full Procrustes distance (Dryden and Mardia, "Statistical Shape Analysis",
/// 1998, chapter 4): both sets of points are shifted to their centroid and scaled to the size 1, size
/// being the root of the summed squares of the distances from the centroid; the distance is what is
/// left when the first is scaled and turned, not reflected, to come nearest to the second.
public struct LandmarkSimilarity: Hashable, Sendable {
  /// The distance that halves the score.
  public static let halvingDistance = 0.1

  /// Whether the first was taken as in a mirror.
  public let isMirrored: Bool
  /// The full Procrustes distance, from 0 for the same shape to 1. It is the same in both directions
  /// but for rounding.
  public let distance: Double
  /// How far each landmark of the first, laid over the second, stays from the second's, as a fraction
  /// of the second's size; in the order of `Landmarks.points`. The root of their summed squares is
  /// `distance`.
  public let residuals: [Double]
  /// The first's landmarks laid over the second's, in the second's coordinates and by the second's
  /// names.
  public let overlay: Landmarks

  /// The distance as a score from 100, for the same shape, towards 0:
  ///
  ///     score = 100 · 2^(−distance / 0.1)
  ///
  /// It falls steadily as the distance grows, and at 0 with a slope, so that no other shape scores
  /// 100. The largest possible distance, 1, scores 0.1.
  public var score: Double { 100 * exp2(-distance / LandmarkSimilarity.halvingDistance) }

  /// Compares two faces' landmarks.
  ///
  /// - Parameters:
  ///   - first: a face's landmarks, in any coordinates in which circles are circles.
  ///   - second: the other's, in any such coordinates; y points the same way in both.
  ///   - isMirrored: whether the first is taken as in a mirror, left and right exchanged, as when
  ///     someone imitates a face on the screen like their own reflection.
  /// - Throws: `AlignmentError` where five points coincide or a number is not finite.
  public init(
    of first: Landmarks, and second: Landmarks, isMirrored: Bool = false
  ) throws(AlignmentError) {
    self.isMirrored = isMirrored
    let first = isMirrored ? first.map { Point(x: -$0.x, y: $0.y) }.swappingSides() : first
    let fit = try SimilarityFit(from: first, to: second)
    distance = min(1, fit.relativeDistance)
    overlay = first.map { fit.transform($0) }
    residuals = fit.relativeResiduals
  }
}
