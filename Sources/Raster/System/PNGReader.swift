import CPNG
import Geometry

/// One PNG being decoded: the checks of its header, and its rows in the order of the file.
final class PNGReader {
  let width: Int
  let height: Int
  private let source: String
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isInterlaced: Bool
  private let reader: OpaquePointer

  /// Which columns and rows of the picture a pass fills: all of them unless interlaced.
  struct Pass {
    var firstColumn, columnStep, firstRow, rowStep: Int

    static let whole = Pass(firstColumn: 0, columnStep: 1, firstRow: 0, rowStep: 1)

    /// PNG specification, 8.2.
    static let adam7 = [
      Pass(firstColumn: 0, columnStep: 8, firstRow: 0, rowStep: 8),
      Pass(firstColumn: 4, columnStep: 8, firstRow: 0, rowStep: 8),
      Pass(firstColumn: 0, columnStep: 4, firstRow: 4, rowStep: 8),
      Pass(firstColumn: 2, columnStep: 4, firstRow: 0, rowStep: 4),
      Pass(firstColumn: 0, columnStep: 2, firstRow: 2, rowStep: 4),
      Pass(firstColumn: 1, columnStep: 2, firstRow: 0, rowStep: 2),
      Pass(firstColumn: 0, columnStep: 1, firstRow: 1, rowStep: 2),
    ]
  }

  /// Reads the header and checks it against the limits. `bytes` must outlive the reader.
  init(
    bytes: UnsafeBufferPointer<UInt8>, source: String, limits: Picture.Limits
  ) throws(PictureError) {
    try limits.require(.png, of: bytes, source: source)
    guard let reader = cpng_reader_create(bytes.baseAddress, bytes.count) else {
      throw PictureError(source: source, reason: .library("libpng", message: "out of memory"))
    }

    var header = cpng_header()
    let isValid = cpng_reader_read_header(reader, &header)
    self.reader = reader
    self.source = source
    self.bytes = bytes
    width = Int(header.width)
    height = Int(header.height)
    isInterlaced = header.is_interlaced

    guard isValid else { throw failure() }
    try limits.require(width: width, height: height, source: source)
    // Deflate's densest code is two bits for 258 bytes: it expands at most 1032 times.
    let claimedBytes = width * height * Int(header.bits_per_pixel) / 8
    guard claimedBytes / 1032 <= bytes.count else {
      throw PictureError(
        source: source,
        reason: .impossibleClaim(
          width: width, height: height, samples: "\(claimedBytes) bytes", fileBytes: bytes.count,
          format: "PNG"))
    }
  }

  deinit { cpng_reader_destroy(reader) }

  /// A row of the file: its pixels, their format, its pass, and the row of the picture that it
  /// fills.
  struct Row {
    var pixels: UnsafeBufferPointer<UInt8>
    var format: cpng_row_format
    var pass: Pass
    var y: Int
  }

  /// Reads the rest and calls `body` with each row, in the order of the file; to be called once.
  ///
  /// - Returns: the Exif orientation, `.up` where there is none.
  func readRows(keeping16Bit: Bool, _ body: (Row) -> Void) throws(PictureError) -> Orientation {
    let isRead = withoutActuallyEscaping(body) { body in
      var receiver = Receiver(
        passes: isInterlaced ? Pass.adam7 : [.whole], width: width, takeRow: body)
      return withUnsafeMutablePointer(to: &receiver) {
        cpng_reader_read_rows(reader, keeping16Bit, receive, $0)
      }
    }
    guard isRead else { throw failure() }
    return exifOrientation(png: bytes)
  }

  private func failure() -> PictureError {
    PictureError(
      source: source,
      reason: .library("libpng", message: String(cString: cpng_reader_message(reader))))
  }
}

/// What the rows from libpng are handed to.
private struct Receiver {
  let passes: [PNGReader.Pass]
  let width: Int
  let takeRow: (PNGReader.Row) -> Void
}

/// A `cpng_take_row`, whose context is a `Receiver`.
private func receive(
  context: UnsafeMutableRawPointer?, format: UnsafePointer<cpng_row_format>?,
  row: UnsafePointer<UInt8>?, pass: UInt32, y: UInt32
) {
  guard let context, let format = format?.pointee else { return }
  let receiver = context.assumingMemoryBound(to: Receiver.self)
  let pass = receiver.pointee.passes[Int(pass)]
  let columns = (receiver.pointee.width - pass.firstColumn + pass.columnStep - 1) / pass.columnStep
  let pixels = UnsafeBufferPointer(
    start: row, count: columns * Int(format.channels * format.bytes_per_sample))
  receiver.pointee.takeRow(
    PNGReader.Row(
      pixels: pixels, format: format, pass: pass, y: pass.firstRow + Int(y) * pass.rowStep))
}
