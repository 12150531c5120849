// SPDX-License-Identifier: Apache-2.0
#if WebP
  import CYOLOFaceWebP
  import YOLOFaceGeometry

  /// WebP pictures (https://www.rfc-editor.org/rfc/rfc9649), read with libwebp. Only with the package's
  /// trait `WebP`.
  enum WebP {
    /// Decodes a WebP, lossy or lossless, into the picture as it is stored.
    ///
    /// - Transparency is composited over `background`, as that of a PNG is.
    /// - The orientation is what Exif or XMP states; a malformed one counts as absent.
    /// - Colour profiles are ignored: samples are treated as sRGB.
    /// - Damage is rows at the bottom that cannot be decoded; they are as the background.
    /// - Animations are errors.
    static func decodeStored(
      _ bytes: [UInt8], source: String, limits: Picture.Limits, background: RGBColor
    ) throws(PictureError) -> Picture.Stored {
      func failure(_ reason: PictureError.Reason) -> PictureError {
        PictureError(source: source, reason: reason)
      }
      let unreadable = PictureError.Reason.library(
        "libwebp", message: "found damaged or missing data, expected a WebP")
      try limits.require(bytes: bytes.count, source: source)
      var header = cwebp_header()
      guard cwebp_read_header(bytes, bytes.count, &header) else { throw failure(unreadable) }
      guard !header.is_animated else { throw failure(.animated) }
      let (width, height) = (Int(header.width), Int(header.height))
      try limits.require(width: width, height: height, source: source)
      var pixels = [UInt8](repeating: 0, count: 4 * width * height)
      let rows = Int(cwebp_decode(bytes, bytes.count, &header, &pixels))
      guard rows > 0 else { throw failure(unreadable) }
      var image = RGBImage(width: width, height: height)
      let largestAlpha = image.pixels.withUnsafeMutableBufferPointer { target in
        pixels.withUnsafeBufferPointer {
          compositeRow($0, over: background, into: target, from: 0, by: 3)
        }
      }
      var stored = Picture.Stored(
        image: image, stated: StatedOrientation(webP: bytes), color: ColorDescription(webP: bytes))
      stored.largestAlpha = largestAlpha
      if rows < height {
        stored.damage = Picture.Damage(
          rows: height - rows, of: height, reason: "libwebp: the data is damaged or ends early")
      }
      return stored
    }
  }
#endif
