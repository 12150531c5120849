// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry
import YOLOFaceInference
import YOLOFaceRaster

extension RGBImage {
  /// The picture as the network expects it: resized and padded with grey.
  ///
  /// - Parameters:
  ///   - letterbox: the mapping, made for this picture's size.
  ///   - filter: how the picture is resized.
  /// - Throws: `ValueError` where the result would be too large.
  public func letterboxed(
    _ letterbox: Letterbox, filter: ResizeFilter = .automatic
  ) throws(ValueError) -> RGBImage {
    let content = try resized(
      width: letterbox.scaledWidth, height: letterbox.scaledHeight, filter: filter)
    let (width, height) = (letterbox.inputWidth, letterbox.inputHeight)
    if content.width == width, content.height == height { return content }
    let gray = letterbox.style.fill
    var canvas = RGBImage(
      width: width, height: height, fill: RGBColor(red: gray, green: gray, blue: gray))
    canvas.draw(content, atX: letterbox.padLeft, y: letterbox.padTop)
    return canvas
  }
}
