import FaceAnalysis
import Geometry
import Raster

extension RGBImage {
  /// The face as recognition models want it: `alignment.side` × `alignment.side` pixels, turned,
  /// scaled and shifted as the alignment says. What lies outside of this picture has the
  /// background's colour.
  ///
  /// Colours are interpolated bilinearly. Where the face shrinks, each pixel is the mean of so many
  /// samples that none is more than a pixel of this picture from the next, at most 16 × 16, fewer
  /// for aligned pictures with a side above 512.
  ///
  /// - Parameters:
  ///   - alignment: from landmarks in this picture's pixels.
  ///   - background: the colour of what lies outside of this picture.
  /// - Throws: `RasterError`, which no side of an alignment leads to.
  public func aligned(
    by alignment: FaceAlignment, background: Color = .black
  ) throws(RasterError) -> RGBImage {
    let side = alignment.side
    let most = min(16, max(1, FaceAlignment.sides.upperBound / side))
    let samples = Int(min(max((1 / alignment.fit.scale).rounded(.up), 1), Double(most)))
    let inverse = alignment.fit.transform.inverse
    return try sampled(side: side, samples: samples, background: background) { inverse($0) }
  }

  /// A square picture of which each pixel is the mean of samples × samples places in this one.
  ///
  /// - Parameter place: where in this picture a point of the new one lies.
  func sampled(
    side: Int, samples: Int, background: Color = .black, at place: (Point) -> Point
  ) throws(RasterError) -> RGBImage {
    let step = 1 / Double(samples)
    return try sampled(width: samples * side, height: samples * side, background: background) {
      place(Point(x: $0.x * step, y: $0.y * step))
    }.resized(width: side, height: side, filter: .area)
  }
}
