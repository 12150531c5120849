import FaceDecoding
import Geometry

/// How a face is turned, scaled and shifted as face recognition models expect it: its landmarks as
/// near as possible to five fixed points in a square picture.
public struct FaceAlignment: Hashable, Sendable {
  /// Where the landmarks belong in a picture of 112 × 112: the five points with which InsightFace
  /// aligns faces for ArcFace and its relatives (https://github.com/deepinsight/insightface,
  /// python-package/insightface/utils/face_align.py, `arcface_dst`).
  ///
  /// The source does not say whether a pixel's centre has whole coordinates or, as here, half ones.
  public static let template = Landmarks(
    rightEye: Point(x: 38.2946, y: 51.6963), leftEye: Point(x: 73.5318, y: 51.5014),
    nose: Point(x: 56.0252, y: 71.7366),
    rightMouth: Point(x: 41.5493, y: 92.3655), leftMouth: Point(x: 70.7299, y: 92.2041))

  /// The side of the picture that `template` is for.
  public static let templateSide = 112

  /// The sides that an aligned picture may have.
  public static let sides = 1...8192

  /// Width and height of the aligned picture in pixels.
  public let side: Int
  /// From the picture's pixels to the aligned picture's.
  public let fit: SimilarityFit

  /// The alignment of a face in a picture of `side` × `side`, to which the template is scaled. The
  /// landmarks of a face that `isMarkedUpsideDown` are wrong.
  ///
  /// - Throws: `AlignmentError` where the landmarks determine no position and direction, or the
  ///   side is not in `sides`.
  public init(_ landmarks: Landmarks, side: Int = templateSide) throws(AlignmentError) {
    guard Self.sides.contains(side) else { throw .side(side) }
    let scale = Double(side) / Double(Self.templateSide)
    let target = Self.template.map { Point(x: scale * $0.x, y: scale * $0.y) }
    let fit = try SimilarityFit(from: landmarks, to: target)
    // A correlation of 0 up to rounding has a meaningless direction.
    guard fit.relativeDistance < 1 - 1e-12 else { throw .noRotation }
    self.side = side
    self.fit = fit
  }
}

/// Why landmarks cannot be fitted to others.
public enum AlignmentError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A coordinate is NaN, infinite or too large to be squared.
  case notFinite
  /// All five points are the same.
  case coincident
  /// The points are arranged so that no rotation is better than another.
  case noRotation
  /// The aligned picture's side is not in `FaceAlignment.sides`.
  case side(Int)

  /// What was found and what was expected.
  public var description: String {
    switch self {
    case .notFinite: "found landmarks that are not finite, expected coordinates in pixels"
    case .coincident: "found five landmarks in one place, expected them apart"
    case .noRotation: "found landmarks that no rotation brings nearer to a face, expected a face's"
    case .side(let side):
      "found a side of \(side) pixels, expected one from \(FaceAlignment.sides.lowerBound) to "
        + "\(FaceAlignment.sides.upperBound)"
    }
  }
}
