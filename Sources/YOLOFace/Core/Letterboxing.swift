import FaceDecoding
import Inference
import Raster

extension RGBImage {
  /// The picture as the network expects it: resized and padded with grey.
  ///
  /// - Parameters:
  ///   - letterbox: the mapping, made for this picture's size.
  ///   - filter: how the picture is resized.
  /// - Throws: `RasterError` where the result would be too large.
  public func letterboxed(
    _ letterbox: Letterbox, filter: ResizeFilter = .automatic
  ) throws(RasterError) -> RGBImage {
    let grey = letterbox.style.fill
    let fill = Color(red: grey, green: grey, blue: grey)
    var canvas = RGBImage(
      width: letterbox.inputWidth, height: letterbox.inputHeight, fill: fill)
    let content = try resized(
      width: letterbox.scaledWidth, height: letterbox.scaledHeight, filter: filter)
    canvas.draw(content, atX: letterbox.padLeft, y: letterbox.padTop)
    return canvas
  }
}
