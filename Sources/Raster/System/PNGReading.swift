// SPDX-License-Identifier: Apache-2.0
#if PNG
  import CYOLOFacePNG

  /// PNG pictures (ISO/IEC 15948, https://www.w3.org/TR/png-3/), read and written with libpng.
  public enum PNG {
    /// The version of the libpng that the program runs with.
    public static var libraryVersion: String { String(cString: cpng_library_version()) }

    /// Decodes a PNG of any colour type and bit depth, interlaced or not, into the picture as it is stored.
    ///
    /// - 16-bit samples become 8-bit ones with rounding: (v × 255 + 32767) / 65535. Where they use at most a sixteenth
    ///   of their range, as 10-bit or thermal values do, or stretching is asked for, what is used becomes the whole range.
    /// - Transparency (an alpha channel or tRNS) is composited over `background` in the 8-bit values,
    ///   without linearising them: (v × a + background × (255 − a) + 127) / 255.
    /// - The orientation is what Exif or XMP states, in a chunk eXIf or in text. A damaged or malformed one counts
    ///   as absent.
    /// - Gamma, chromaticities and colour profiles are ignored: samples are treated as sRGB.
    /// - Damage is a wrong checksum of pixels or of the palette, and missing rows, which are black or, of an interlaced
    ///   picture, as coarse as the passes before. In an ancillary chunk it is none, nor is anything behind the last row.
    static func decodeStored(
      _ bytes: [UInt8], source: String, limits: Picture.Limits, background: RGBColor,
      isStretched: Bool = false
    ) throws(PictureError) -> Picture.Stored {
      var wide: WideSamples?
      var rows = try read(bytes, source, limits, background, &wide)
      let used = wide?.used.flatMap { $0.count > 1 ? $0 : nil }
      let range = used.flatMap { isStretched || $0.count <= Picture.Stored.leastRange ? $0 : nil }
      if let range {
        wide = WideSamples(stretching: range)
        rows = try read(bytes, source, limits, background, &wide)
      }
      var allowance = PNGChunks.inflationAllowance(ofFile: bytes.count)
      var stored = Picture.Stored(
        image: rows.image, stated: StatedOrientation(png: bytes, &allowance),
        color: ColorDescription(png: bytes, &allowance), isAnimated: Picture.isAnimated(bytes))
      stored.damage = rows.damage
      stored.usedRange = used.map { Double($0.count) / 65_536 }
      stored.isStretched = range != nil
      stored.largestAlpha = rows.largestAlpha
      return stored
    }

    private struct Rows {
      var image: RGBImage
      var largestAlpha: UInt8?
      var damage: Picture.Damage?
    }

    private static func read(
      _ bytes: [UInt8], _ source: String, _ limits: Picture.Limits, _ background: RGBColor,
      _ wide: inout WideSamples?
    ) throws(PictureError) -> Rows {
      try bytes.withUnsafeBufferPointer { (buffer) throws(PictureError) in
        let reader = try PNGReader(bytes: buffer, source: source, limits: limits)
        var image = RGBImage(width: reader.width, height: reader.height)
        var (narrow, largestAlpha): ([UInt8], UInt8?) = ([], nil)
        let damage = try reader.readRows { row in
          if row.format.bytes_per_sample == 1 { return place(row, row.pixels) }
          if narrow.isEmpty { narrow = [UInt8](repeating: 0, count: 4 * reader.width) }
          if wide == nil { wide = WideSamples() }
          wide?.narrow(row.pixels, y: row.y, channels: Int(row.format.channels), into: &narrow)
          narrow.withUnsafeBufferPointer { place(row, $0) }
        }
        return Rows(image: image, largestAlpha: largestAlpha, damage: damage)

        func place(_ row: PNGReader.Row, _ samples: UnsafeBufferPointer<UInt8>) {
          let (channels, columnStep) = (Int(row.format.channels), row.pass.columnStep)
          for (y, x) in row.places(in: (reader.width, reader.height)) {
            let count = (reader.width - x + columnStep - 1) / columnStep
            let pixels = UnsafeBufferPointer(rebasing: samples.prefix(channels * count))
            let (target, step) = (3 * (y * reader.width + x), 3 * columnStep)
            image.pixels.withUnsafeMutableBufferPointer { all in
              if channels == 4 {
                let alpha = compositeRow(
                  pixels, over: background, into: all, from: target, by: step)
                largestAlpha = max(largestAlpha ?? 0, alpha)
              } else {
                copyRow(pixels, into: all, from: target, by: step)
              }
            }
          }
        }
      }
    }
  }

  /// One PNG being decoded: the checks of its header, and its rows in the order of the file.
  final class PNGReader {
    let width: Int
    let height: Int
    private let source: String
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
      let format = PictureFormat(of: bytes)
      guard format == .png else {
        throw PictureError(source: source, reason: .notPNG(looksLike: format?.rawValue))
      }
      try limits.require(bytes: bytes.count, source: source)
      guard let reader = cpng_reader_create(bytes.baseAddress, bytes.count) else {
        throw PictureError(source: source, reason: .library("libpng", message: "out of memory"))
      }

      var header = cpng_header()
      let isValid = cpng_reader_read_header(reader, &header)
      (self.reader, self.source) = (reader, source)
      (width, height) = (Int(header.width), Int(header.height))
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

      /// Where its first pixel goes, and with an interlaced picture's also where further copies of the row do, which
      /// stand in for pixels of later passes until these come.
      func places(in size: (width: Int, height: Int)) -> [(y: Int, x: Int)] {
        let columns = pass.firstColumn..<max(pass.columnStep, pass.firstColumn + 1)
        let rows = y..<y + max(pass.rowStep - pass.firstRow, 1)
        return rows.clamped(to: 0..<size.height).flatMap { y in
          columns.clamped(to: 0..<size.width).map { (y, $0) }
        }
      }
    }

    /// Reads the rest and calls `body` with each row, in the order of the file; to be called once.
    ///
    /// - Returns: what is missing; nil for nothing.
    func readRows(_ body: (Row) -> Void) throws(PictureError) -> Picture.Damage? {
      var damaged = 0.0
      let isRead = withoutActuallyEscaping(body) { body in
        var receiver = Receiver(
          passes: isInterlaced ? Pass.adam7 : [.whole], width: width, takeRow: body)
        return withUnsafeMutablePointer(to: &receiver) {
          cpng_reader_read_rows(reader, receive, $0, &damaged)
        }
      }
      guard isRead else { throw failure() }
      guard damaged > 0 else { return nil }
      return Picture.Damage(
        rows: Int((damaged * Double(height)).rounded(.up)), of: height,
        reason: "libpng: \(String(cString: cpng_reader_message(reader)))")
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
    let columns =
      (receiver.pointee.width - pass.firstColumn + pass.columnStep - 1) / pass.columnStep
    let pixels = UnsafeBufferPointer(
      start: row, count: columns * Int(format.channels * format.bytes_per_sample))
    receiver.pointee.takeRow(
      PNGReader.Row(
        pixels: pixels, format: format, pass: pass, y: pass.firstRow + Int(y) * pass.rowStep))
  }
#endif
