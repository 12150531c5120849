// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

extension RGBImage {
  /// The part of `newWidth` × `newHeight` pixels whose top left pixel is at column `x` and row `y`.
  /// The area outside this picture is filled with the background.
  ///
  /// - Throws: `ValueError` if the new size is not that of an image.
  public func cropped(
    x: Int, y: Int, width newWidth: Int, height newHeight: Int, background: RGBColor = .black
  ) throws(ValueError) -> RGBImage {
    _ = try Self.byteCount(width: newWidth, height: newHeight)
    if x == 0, y == 0, newWidth == width, newHeight == height { return self }
    var result = RGBImage(width: newWidth, height: newHeight, fill: background)
    // Farther away nothing of the picture is visible; clamped, these can be negated without
    // overflow.
    let x = min(max(x, -newWidth), width)
    let y = min(max(y, -newHeight), height)
    result.draw(self, atX: -x, y: -y)
    return result
  }

  /// The part inside a rectangle, its edges rounded to whole pixels. The area outside this picture
  /// is filled with the background.
  ///
  /// - Throws: `ValueError` if that is not the size of an image.
  public func cropped(
    to rectangle: Box, background: RGBColor = .black
  ) throws(ValueError) -> RGBImage {
    let (left, top) = (rectangle.minX.rounded(), rectangle.minY.rounded())
    return try cropped(
      x: clamped(left), y: clamped(top), width: clamped(rectangle.maxX.rounded() - left),
      height: clamped(rectangle.maxY.rounded() - top), background: background)
  }
}

/// A whole number up to a billion; 0 for NaN.
private func clamped(_ number: Double) -> Int {
  number.isNaN ? 0 : Int(min(max(number, -1e9), 1e9))
}
