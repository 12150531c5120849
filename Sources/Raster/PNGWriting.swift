import CPNG
import Files

extension PNG {
  /// Encodes a picture as an 8-bit RGB PNG, not interlaced.
  ///
  /// - Throws: `PNGError` only without memory.
  public static func encode(_ image: RGBImage) throws(PNGError) -> [UInt8] {
    let zlibDefaultLevel: Int32 = 6
    var encoded = cpng_encoded()
    cpng_encode_rgb(
      image.pixels, UInt32(image.width), UInt32(image.height), zlibDefaultLevel, &encoded)
    defer { cpng_encoded_destroy(&encoded) }
    guard encoded.bytes != nil else {
      let message = withUnsafeBytes(of: encoded.message) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw PNGError(source: "<bytes>", reason: .libpng(message))
    }
    return [UInt8](UnsafeBufferPointer(start: encoded.bytes, count: encoded.count))
  }

  /// Encodes a picture and writes it to a file, as a whole or not at all, see `writeFile`.
  ///
  /// - Throws: `FileError` with the path, or `PNGError` without memory.
  public static func write(_ image: RGBImage, to path: String) throws {
    try writeFile(try encode(image), to: path)
  }
}
