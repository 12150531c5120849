#if JPEG
  import CJPEG
  import Geometry

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
      try limits.require(.jpeg, of: bytes, source: source)
      guard let reader = cjpeg_reader_create(bytes.baseAddress, bytes.count) else {
        throw failure(.library("libjpeg", message: "out of memory"))
      }

      var header = cjpeg_header()
      let isValid = cjpeg_reader_read_header(reader, &header)
      self.reader = reader
      self.source = source
      width = Int(header.width)
      height = Int(header.height)
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
    func readRows(
      _ body: (UnsafeBufferPointer<UInt8>, Int) -> Void
    ) throws(PictureError) {
      guard cjpeg_reader_begin_rows(reader) else { throw failure() }
      var row = [UInt8](repeating: 0, count: width * channels)
      for y in 0..<height {
        guard cjpeg_reader_read_row(reader, &row) else { throw failure() }
        row.withUnsafeBufferPointer { body($0, y) }
      }
    }

    /// Reads to the end of the JPEG. Returns the Exif orientation, `.up` where there is none.
    func finish() throws(PictureError) -> Orientation {
      guard cjpeg_reader_finish(reader) else { throw failure() }
      var count = 0
      guard let exif = cjpeg_reader_exif(reader, &count) else { return .up }
      return exifOrientation(tiff: UnsafeBufferPointer(start: exif, count: count))
    }

    private func failure() -> PictureError {
      PictureError(
        source: source,
        reason: .library("libjpeg", message: String(cString: cjpeg_reader_message(reader))))
    }
  }
#endif
