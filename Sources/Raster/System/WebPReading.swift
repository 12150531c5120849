#if WebP
  import CWebP
  import Geometry

  /// WebP pictures (https://www.rfc-editor.org/rfc/rfc9649), read with libwebp. Only with the package's
  /// trait `WebP`.
  enum WebP {
    /// Decodes a WebP, lossy or lossless, into the picture as it is stored.
    ///
    /// - Transparency is composited over `background`, as that of a PNG is.
    /// - The orientation is what Exif or XMP states; a malformed one counts as absent.
    /// - Colour profiles are ignored: samples are treated as sRGB.
    /// - Animations are errors.
    static func decodeStored(
      _ bytes: [UInt8], source: String, limits: Picture.Limits, background: Color
    ) throws(PictureError) -> Picture.Stored {
      func failure(_ reason: PictureError.Reason) -> PictureError {
        PictureError(source: source, reason: reason)
      }
      try limits.require(bytes: bytes.count, source: source)
      var header = cwebp_header()
      guard cwebp_read_header(bytes, bytes.count, &header) else { throw failure(.damaged) }
      guard !header.is_animated else { throw failure(.animated) }
      let (width, height) = (Int(header.width), Int(header.height))
      try limits.require(width: width, height: height, source: source)
      var pixels = [UInt8](repeating: 0, count: 4 * width * height)
      guard cwebp_decode(bytes, bytes.count, &header, &pixels) else { throw failure(.damaged) }
      var image = RGBImage(width: width, height: height)
      image.pixels.withUnsafeMutableBufferPointer { target in
        pixels.withUnsafeBufferPointer {
          compositeRow($0, over: background, into: target, from: 0, by: 3)
        }
      }
      return Picture.Stored(
        image: image, orientation: StatedOrientation(webP: bytes).orientation,
        color: ColorDescription(webP: bytes))
    }
  }
#endif
