// SPDX-License-Identifier: Apache-2.0
import YOLOFaceAnalysis
import YOLOFaceGeometry
import YOLOFaceRaster

extension RGBImage {
  /// The face as recognition models expect it: `alignment.side` × `alignment.side` pixels, rotated,
  /// scaled and shifted by the alignment. The part outside this picture is filled with the
  /// background.
  ///
  /// Colours are interpolated bilinearly. Where the face shrinks, each pixel is the mean of enough
  /// samples to leave no gap of more than a pixel of this picture, at most 16 × 16, and fewer where
  /// the side is above 512.
  ///
  /// - Parameters:
  ///   - alignment: made from landmarks in this picture's pixels.
  ///   - background: the colour outside this picture.
  /// - Throws: `ValueError` where the square cannot be an image, which no alignment's side leads to.
  public func aligned(
    by alignment: FaceAlignment, background: RGBColor = .black
  ) throws(ValueError) -> RGBImage {
    let side = alignment.side
    let most = min(16, max(1, FaceAlignment.sides.upperBound / side))
    let samples = Int(min(max((1 / alignment.fit.scale).rounded(.up), 1), Double(most)))
    let inverse = alignment.fit.transform.inverse
    let step = 1 / Double(samples)
    return try sampled(width: samples * side, height: samples * side, background: background) {
      inverse(Point2D(x: $0.x * step, y: $0.y * step))
    }.resized(width: side, height: side, filter: .area)
  }

  /// A square picture that a similarity maps this one to. Where it shrinks to less than half, this
  /// picture's part of it is averaged first, so that no pixel is skipped.
  ///
  /// - Parameters:
  ///   - transform: from this picture's pixels to the square's: a scale, a rotation and a shift.
  ///   - side: the square's, in pixels.
  ///   - background: the colour outside this picture.
  /// - Throws: `ValueError` where the square, or the part of this picture, cannot be an image.
  func square(
    _ transform: AffineMap, side: Int, background: RGBColor
  ) throws(ValueError) -> RGBImage {
    let inverse = transform.inverse
    let step = (inverse.xx * inverse.xx + inverse.yx * inverse.yx).squareRoot()
    let shrinking = step.rounded(.down)
    guard shrinking >= 2 else {
      return try sampled(width: side, height: side, background: background) { inverse($0) }
    }
    let middle = inverse(Point2D(x: Double(side) / 2, y: Double(side) / 2))
    // The square, turned by any angle, is inside one that is √2 times as large.
    let reach = 1.5 * step * Double(side)
    let around = Box(center: middle, size: Size2D(width: reach, height: reach))
      .clipped(to: size)
    let part = try cropped(to: around)
    let (left, top) = (around.minX.rounded(), around.minY.rounded())
    let small = try part.resized(
      width: max(1, Int(Double(part.width) / shrinking)),
      height: max(1, Int(Double(part.height) / shrinking)), filter: .area)
    let across = Double(small.width) / Double(part.width)
    let down = Double(small.height) / Double(part.height)
    return try small.sampled(width: side, height: side, background: background) {
      let place = inverse($0)
      return Point2D(x: (place.x - left) * across, y: (place.y - top) * down)
    }
  }
}
