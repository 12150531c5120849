// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

/// How a face is turned, scaled and shifted as face recognition models expect it: its landmarks as
/// near as possible to five fixed points in a square picture.
///
/// ```swift
/// let alignment = try FaceAlignment(face.landmarks)
/// let picture = try image.aligned(by: alignment)  // 112 × 112
/// ```
public struct FaceAlignment: Hashable, Sendable {
  /// Where the landmarks belong in a picture of 112 × 112: the five points with which InsightFace
  /// aligns faces for ArcFace and its relatives (https://github.com/deepinsight/insightface,
  /// python-package/insightface/utils/face_align.py, `arcface_dst`).
  ///
  /// The source does not say whether a pixel's centre has whole coordinates, as in OpenCV's
  /// warping, or half ones, as here. The numbers are used unchanged; with whole coordinates the
  /// face would be half a pixel farther to the right and down.
  public static let template = Landmarks(
    rightEye: Point2D(x: 38.2946, y: 51.6963), leftEye: Point2D(x: 73.5318, y: 51.5014),
    nose: Point2D(x: 56.0252, y: 71.7366),
    rightMouth: Point2D(x: 41.5493, y: 92.3655), leftMouth: Point2D(x: 70.7299, y: 92.2041))

  /// The side of the picture that `template` is for.
  public static let templateSide = 112

  /// The sides that an aligned picture may have.
  public static let sides = 1...8192

  /// Width and height of the aligned picture in pixels.
  public let side: Int
  /// From the picture's pixels to the aligned picture's, and how far the landmarks remain from the
  /// template, in pixels of the aligned picture.
  public let fit: SimilarityFit

  /// The alignment of a face in a picture of `side` × `side`, to which the template is scaled.
  ///
  /// - Parameters:
  ///   - landmarks: the face's, in the picture's pixels. Those of a face that `isMarkedUpsideDown` are
  ///     wrong.
  ///   - side: the aligned picture's width and height, in `sides`.
  /// - Throws: `ValueError` where the landmarks determine no position and direction, or the
  ///   side is not in `sides`.
  public init(_ landmarks: Landmarks, side: Int = templateSide) throws(ValueError) {
    let sides = FaceAlignment.sides
    guard sides.contains(side) else {
      throw ValueError(
        "found a side of \(side) pixels, expected one from \(sides.lowerBound) to \(sides.upperBound)"
      )
    }
    let scale = Double(side) / Double(FaceAlignment.templateSide)
    let target = FaceAlignment.template.map { Point2D(x: scale * $0.x, y: scale * $0.y) }
    let fit = try SimilarityFit(from: landmarks, to: target)
    // A correlation of 0 up to rounding has a meaningless direction.
    guard fit.relativeDistance < 1 - 1e-12 else {
      throw ValueError(
        "found landmarks that no rotation brings nearer to a face, expected a face's")
    }
    (self.side, self.fit) = (side, fit)
  }
}
