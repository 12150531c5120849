#if JPEG
  import Files
  import Geometry

  /// JPEG pictures (ISO/IEC 10918-1, https://www.w3.org/Graphics/JPEG/itu-t81.pdf), read with
  /// libjpeg-turbo. Only with the package's trait `JPEG`.
  public enum JPEG {
    /// Decodes a JPEG, baseline or progressive, into an upright picture.
    ///
    /// - Grey, YCbCr and RGB become RGB. CMYK and YCCK, whose inks Adobe's segment describes,
    ///   become RGB as if each ink filtered its colour and black filtered all three: (255 − cyan) ×
    ///   (255 − black) / 255, and so on.
    /// - The orientation of the first Exif segment is applied; a malformed one counts as upright.
    /// - Colour profiles are ignored: samples are treated as sRGB.
    /// - Damage that libjpeg notices in a picture's data is an error, and so is missing data. A
    ///   JPEG has no checksums: other damage shows only in the pixels. Bytes between segments that
    ///   belong to none, and bytes after the end of the JPEG, are ignored.
    /// - Arithmetic coding, 12-bit samples and more than 100 scans are errors; so is lossless
    ///   coding where libjpeg-turbo is older than version 3.
    ///
    /// - Throws: `PictureError` with the source `<bytes>`.
    public static func decode(
      _ bytes: [UInt8], limits: Picture.Limits = Picture.Limits()
    ) throws(PictureError) -> RGBImage {
      try decode(bytes, source: "<bytes>", limits: limits)
    }

    /// Reads a regular file and decodes it as `decode` does.
    ///
    /// - Throws: `FileError` where the file cannot be read, `PictureError` with the path where it
    ///   holds no valid JPEG.
    public static func read(
      path: String, limits: Picture.Limits = Picture.Limits()
    ) throws -> RGBImage {
      try decode(
        try readFile(path, limit: limits.maximumFileBytes), source: path, limits: limits)
    }

    static func decode(
      _ bytes: [UInt8], source: String, limits: Picture.Limits
    ) throws(PictureError) -> RGBImage {
      let stored = try decodeStored(bytes, source: source, limits: limits)
      return stored.image.upright(from: stored.orientation)
    }

    /// The picture as it is stored.
    static func decodeStored(
      _ bytes: [UInt8], source: String, limits: Picture.Limits
    ) throws(PictureError) -> (image: RGBImage, orientation: Orientation) {
      try bytes.withUnsafeBufferPointer { (buffer) throws(PictureError) in
        let reader = try JPEGReader(bytes: buffer, source: source, limits: limits)
        var image = RGBImage(width: reader.width, height: reader.height)
        try reader.readRows { row, y in
          image.pixels.withUnsafeMutableBufferPointer { pixels in
            let target = 3 * y * reader.width
            if reader.channels == 4 {
              convertRow(inks: row, into: pixels, from: target)
            } else {
              _ = pixels[target...].update(fromContentsOf: row)
            }
          }
        }
        return (image, try reader.finish())
      }
    }
  }

  /// Converts cyan, magenta, yellow and black, where 255 is no ink, to RGB pixels.
  private func convertRow(
    inks row: UnsafeBufferPointer<UInt8>, into pixels: UnsafeMutableBufferPointer<UInt8>,
    from target: Int
  ) {
    var target = target
    for source in stride(from: 0, to: row.count, by: 4) {
      let light = row[source + 3]
      for ink in 0..<3 {
        pixels[target + ink] = UInt8(0).blended(with: row[source + ink], alpha: light)
      }
      target += 3
    }
  }
#endif
