// SPDX-License-Identifier: Apache-2.0
#if JPEG
  import CYOLOFaceJPEG
  import YOLOFaceGeometry

  /// JPEG pictures (ISO/IEC 10918-1, https://www.w3.org/Graphics/JPEG/itu-t81.pdf), read with
  /// libjpeg-turbo. Only with the package's trait `JPEG`.
  enum JPEG {
    /// Decodes a JPEG, baseline or progressive, into the picture as it is stored.
    ///
    /// - Grey, YCbCr and RGB become RGB. CMYK and YCCK, taken for inverted as Adobe's programs write them, become
    ///   RGB as if each ink filtered its colour and black filtered all three: (255 − cyan) ×
    ///   (255 − black) / 255, and so on.
    /// - The orientation is what Exif or XMP states; a malformed one counts as absent.
    /// - Colour profiles are ignored: samples are treated as sRGB.
    /// - Damage is missing data, and what libjpeg cannot decode; it is grey, or wrong. A JPEG has no checksums: other
    ///   damage shows only in the pixels. A warning that costs no pixel is no damage, nor is anything behind the last
    ///   row, such as a trailer in place of the end.
    /// - Arithmetic coding, 12-bit samples and more than 100 scans are errors; so is lossless
    ///   coding where libjpeg-turbo is older than version 3.
    static func decodeStored(
      _ bytes: [UInt8], source: String, limits: Picture.Limits
    ) throws(PictureError) -> Picture.Stored {
      let (image, damage) = try bytes.withUnsafeBufferPointer { (buffer) throws(PictureError) in
        let reader = try JPEGReader(bytes: buffer, source: source, limits: limits)
        var image = RGBImage(width: reader.width, height: reader.height)
        try reader.readRows { row, y in
          image.pixels.withUnsafeMutableBufferPointer { pixels in
            let target = 3 * y * reader.width
            if reader.channels == 4 {
              // Black, where 255 is no ink, lets through as much of the other inks as alpha does of colours over black.
              compositeRow(row, over: .black, into: pixels, from: target, by: 3)
            } else {
              copyRow(row, into: pixels, from: target, by: 3)
            }
          }
        }
        return (image, reader.damage)
      }
      var stored = Picture.Stored(
        image: image, stated: StatedOrientation(jpeg: bytes), color: ColorDescription(jpeg: bytes))
      stored.damage = damage
      return stored
    }
  }

  /// One JPEG being decoded: the checks of its header, and its rows from top to bottom.
  final class JPEGReader {
    let width: Int
    let height: Int
    /// Channels of a row: 3 for RGB, 4 for inverted CMYK.
    let channels: Int
    private let source: String
    private let reader: OpaquePointer

    /// Reads the header and checks it against the limits. `bytes` must outlive the reader.
    init(
      bytes: UnsafeBufferPointer<UInt8>, source: String, limits: Picture.Limits
    ) throws(PictureError) {
      func failure(_ reason: PictureError.Reason) -> PictureError {
        PictureError(source: source, reason: reason)
      }
      try limits.require(bytes: bytes.count, source: source)
      guard let reader = cjpeg_reader_create(bytes.baseAddress, bytes.count) else {
        throw failure(.library("libjpeg", message: "out of memory"))
      }

      var header = cjpeg_header()
      let isValid = cjpeg_reader_read_header(reader, &header)
      (self.reader, self.source) = (reader, source)
      (width, height) = (Int(header.width), Int(header.height))
      channels = Int(header.channels)

      guard isValid else { throw self.failure() }
      try limits.require(width: width, height: height, source: source)
      guard !header.is_arithmetic else { throw failure(.arithmeticCoding) }
      // A Huffman code has at least one bit, and each block at least one code (ISO/IEC 10918-1,
      // F.1.2 and G.1.2.1: that of its DC coefficient).
      guard header.blocks / 8 <= bytes.count else {
        throw failure(
          .impossibleClaim(
            width: width, height: height, samples: "\(header.blocks) blocks",
            fileBytes: bytes.count, format: "JPEG"))
      }
      guard channels > 0 else {
        throw failure(.unknownColors(components: Int(header.components)))
      }
    }

    deinit { cjpeg_reader_destroy(reader) }

    /// Calls `body` with each row's samples and the row's y. To be called once.
    func readRows(_ body: (UnsafeBufferPointer<UInt8>, Int) -> Void) throws(PictureError) {
      guard cjpeg_reader_begin_rows(reader) else { throw failure() }
      var row = [UInt8](repeating: 0, count: width * channels)
      for y in 0..<height {
        guard cjpeg_reader_read_row(reader, &row) else { throw failure() }
        row.withUnsafeBufferPointer { body($0, y) }
      }
    }

    /// What is missing of the rows that have been read; nil for nothing.
    var damage: Picture.Damage? {
      guard var damage = cjpeg_reader_damage(reader)?.pointee, damage.rows > 0 else { return nil }
      let reason = withUnsafeBytes(of: &damage.reason) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      return Picture.Damage(rows: Int(damage.rows), of: height, reason: "libjpeg: \(reason)")
    }

    private func failure() -> PictureError {
      PictureError(
        source: source,
        reason: .library("libjpeg", message: String(cString: cjpeg_reader_message(reader))))
    }
  }
#endif
