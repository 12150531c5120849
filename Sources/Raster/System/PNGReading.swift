import CPNG
import Files
import Geometry

/// PNG pictures (ISO/IEC 15948, https://www.w3.org/TR/png-3/), read and written with libpng.
public enum PNG {
  /// What an untrusted PNG may cost.
  public typealias Limits = Picture.Limits

  /// Decodes a PNG of any colour type and bit depth, interlaced or not, into an upright picture.
  ///
  /// - 16-bit samples become 8-bit ones with rounding: (v × 255 + 32767) / 65535.
  /// - Transparency (an alpha channel or tRNS) is composited over `background` in the 8-bit values,
  ///   without linearising them: (v × a + background × (255 − a) + 127) / 255.
  /// - The Exif orientation of the first eXIf chunk is applied; a malformed one counts as upright,
  ///   and an empty or damaged chunk (wrong checksum) as absent.
  /// - Gamma, chromaticities and colour profiles are ignored: samples are treated as sRGB.
  /// - Damage in a critical chunk (wrong checksum, missing data) is an error; damage in an
  ///   ancillary one is not. Image data after the last row and bytes after the end of the PNG are
  ///   ignored.
  ///
  /// - Throws: `PictureError` with the source `<bytes>`.
  public static func decode(
    _ bytes: [UInt8], limits: Limits = Limits(), background: Color = .white
  ) throws(PictureError) -> RGBImage {
    try decode(bytes, source: "<bytes>", limits: limits, background: background)
  }

  /// Reads a regular file and decodes it as `decode` does.
  ///
  /// - Throws: `FileError` where the file cannot be read, `PictureError` with the path where it holds
  ///   no valid PNG.
  public static func read(
    path: String, limits: Limits = Limits(), background: Color = .white
  ) throws -> RGBImage {
    let bytes = try readFile(path, limit: limits.maximumFileBytes)
    return try decode(bytes, source: path, limits: limits, background: background)
  }

  static func decode(
    _ bytes: [UInt8], source: String, limits: Limits, background: Color
  ) throws(PictureError) -> RGBImage {
    let stored = try decodeStored(bytes, source: source, limits: limits, background: background)
    return stored.image.upright(from: stored.orientation)
  }

  /// The picture as it is stored.
  static func decodeStored(
    _ bytes: [UInt8], source: String, limits: Limits, background: Color
  ) throws(PictureError) -> (image: RGBImage, orientation: Orientation) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(PictureError) in
      let reader = try PNGReader(bytes: buffer, source: source, limits: limits)
      var image = RGBImage(width: reader.width, height: reader.height)
      let orientation = try reader.readRows(keeping16Bit: false) { row in
        image.pixels.withUnsafeMutableBufferPointer { pixels in
          let target = 3 * (row.y * reader.width + row.pass.firstColumn)
          let step = 3 * row.pass.columnStep
          if row.format.channels == 4 {
            compositeRow(row.pixels, over: background, into: pixels, from: target, by: step)
          } else {
            copyRow(row.pixels, into: pixels, from: target, by: step)
          }
        }
      }
      return (image, orientation)
    }
  }
}

/// Writes RGB pixels `step` bytes apart.
private func copyRow(
  _ row: UnsafeBufferPointer<UInt8>, into pixels: UnsafeMutableBufferPointer<UInt8>,
  from target: Int, by step: Int
) {
  if step == 3 {
    _ = pixels[target...].update(fromContentsOf: row)
    return
  }
  var target = target
  for source in stride(from: 0, to: row.count, by: 3) {
    pixels[target] = row[source]
    pixels[target + 1] = row[source + 1]
    pixels[target + 2] = row[source + 2]
    target += step
  }
}

/// Writes RGBA pixels, composited over `background`, `step` bytes apart.
func compositeRow(
  _ row: UnsafeBufferPointer<UInt8>, over background: Color,
  into pixels: UnsafeMutableBufferPointer<UInt8>, from target: Int, by step: Int
) {
  var target = target
  for source in stride(from: 0, to: row.count, by: 4) {
    let alpha = row[source + 3]
    pixels[target] = background.red.blended(with: row[source], alpha: alpha)
    pixels[target + 1] = background.green.blended(with: row[source + 1], alpha: alpha)
    pixels[target + 2] = background.blue.blended(with: row[source + 2], alpha: alpha)
    target += step
  }
}
