/// How `RGBImage.resized` computes a new pixel.
public enum ResizeFilter: CaseIterable, Sendable {
  /// Interpolates between the 2 × 2 nearest pixel centres, even when shrinking (no antialiasing),
  /// in the fixed-point arithmetic of OpenCV's `INTER_LINEAR`, with bit-identical results.
  case bilinear

  /// Averages the area that the new pixel covers, like OpenCV's `INTER_AREA`; bilinear where a side
  /// grows.
  case area

  /// `bilinear`, but `area` where a side shrinks to less than half, since bilinear would skip
  /// pixels.
  case automatic
}

extension RGBImage {
  /// The picture scaled to a new size, each axis by its own factor. Edges map to edges: column x of
  /// the new picture is taken at (x + 0.5) × old / new − 0.5 of this one, clamped.
  ///
  /// - Throws: `RasterError.impossibleSize` if the new size is not that of an image.
  public func resized(
    width newWidth: Int, height newHeight: Int, filter: ResizeFilter = .bilinear
  ) throws(RasterError) -> RGBImage {
    _ = try Self.byteCount(width: newWidth, height: newHeight)
    if newWidth == width, newHeight == height { return self }
    // New centres are midway between four pixels, which both filters average.
    if 2 * newWidth == width, 2 * newHeight == height { return halved() }
    let skipsPixels = 2 * newWidth < width || 2 * newHeight < height
    let averages = filter == .area || filter == .automatic && skipsPixels
    if averages, newWidth <= width, newHeight <= height {
      return resizedByArea(width: newWidth, height: newHeight)
    }
    return resizedBilinearly(width: newWidth, height: newHeight)
  }
}
