#if WebP
  import CWebP
  import Geometry

  /// WebP pictures (https://www.rfc-editor.org/rfc/rfc9649), read with libwebp. Only with the package's
  /// trait `WebP`.
  enum WebP {
    /// Decodes a WebP, lossy or lossless, into the picture as it is stored.
    ///
    /// - Transparency is composited over `background`, as `PNG.decode` does.
    /// - The orientation is that of the Exif chunk; a malformed one counts as upright.
    /// - Colour profiles are ignored: samples are treated as sRGB.
    /// - Animations are errors.
    static func decodeStored(
      _ bytes: [UInt8], source: String, limits: Picture.Limits, background: Color
    ) throws(PictureError) -> (image: RGBImage, orientation: Orientation) {
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
      return (image, exifOrientation(inWebP: bytes))
    }
  }

  /// The orientation in the file's first EXIF chunk (RFC 9649, 2.7.1.5); `.up` where there is none.
  private func exifOrientation(inWebP bytes: [UInt8]) -> Orientation {
    bytes.withUnsafeBufferPointer { bytes in
      // After "RIFF", a size and "WEBP", each chunk is a name, a size and as many bytes, made even.
      var rest = bytes.dropFirst(12)
      while rest.count >= 8 {
        let name = rest.prefix(4)
        let size = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        rest = rest.dropFirst(8)
        if name.elementsEqual("EXIF".utf8) {
          var content = rest.prefix(size)
          if content.starts(with: "Exif\0\0".utf8) { content = content.dropFirst(6) }
          return exifOrientation(tiff: UnsafeBufferPointer(rebasing: content))
        }
        rest = rest.dropFirst(size + size % 2)
      }
      return .up
    }
  }
#endif
