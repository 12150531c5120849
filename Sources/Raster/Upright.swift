// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

extension RGBImage {
  /// The picture turned upright, as the photographer saw it.
  ///
  /// - Parameter orientation: how this picture is stored. Exif 2.32 (CIPA DC-008), 4.6.4 A.
  public func upright(from orientation: Orientation) -> RGBImage {
    if orientation == .up { return self }
    let newWidth = orientation.swapsWidthAndHeight ? height : width
    let newHeight = orientation.swapsWidthAndHeight ? width : height

    // Where the stored picture's first pixel goes, and how far one column and one row of the stored
    // picture move in the new one, in pixels.
    let transform = orientation.transform(of: size)
    let first = transform(Point2D(x: 0.5, y: 0.5))
    let origin = Int(first.y) * newWidth + Int(first.x)
    let columnStep = Int(transform.yx) * newWidth + Int(transform.xx)
    let rowStep = Int(transform.yy) * newWidth + Int(transform.xy)

    var result = RGBImage(width: newWidth, height: newHeight)
    for y in 0..<height {
      for x in 0..<width {
        let source = 3 * (y * width + x)
        let target = 3 * (origin + x * columnStep + y * rowStep)
        result.pixels[target] = pixels[source]
        result.pixels[target + 1] = pixels[source + 1]
        result.pixels[target + 2] = pixels[source + 2]
      }
    }
    return result
  }
}
