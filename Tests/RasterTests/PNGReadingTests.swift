// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceRaster

@Suite struct PNGReadingTests {
  /// A gray row, its samples after expansion.
  private func gray(_ values: [UInt8]) -> [UInt8] { values.flatMap { [$0, $0, $0] } }

  @Test(
    arguments: [
      (4, 3, [0, 0x0F, 0x70], [0, 255, 119]),  // 7 × 17
      (2, 4, [0, 0b00_01_10_11], [0, 85, 170, 255]),
      (1, 9, [0, 0b1010_0001, 0b1000_0000], [255, 0, 255, 0, 0, 0, 0, 255, 255]),
    ] as [(UInt8, Int, [UInt8], [UInt8])])
  func expandsGrayToEightBits(bits: UInt8, width: Int, data: [UInt8], expected: [UInt8]) throws {
    let png = HandmadePNG(width: width, height: 1, bitDepth: bits, colorType: .gray, data: data)
    #expect(try Picture.decode(png.bytes).pixels == gray(expected))
  }

  @Test func keepsRGB() throws {
    let png = HandmadePNG(
      width: 2, height: 2, colorType: .rgb,
      data: [0, 1, 2, 3, 4, 5, 6, 2, 10, 10, 10, 10, 10, 10])  // filter 2 adds the row above
    #expect(try Picture.decode(png.bytes).pixels == [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16])
  }

  @Test func looksUpThePalette() throws {
    let png = HandmadePNG(
      width: 3, height: 1, bitDepth: 4, colorType: .palette, data: [0, 0x20, 0x10],
      chunksBeforeData: [("PLTE", [1, 2, 3, 4, 5, 6, 7, 8, 9]), ("tRNS", [255, 0])])
    let background = RGBColor(red: 100, green: 110, blue: 120)
    let pixels = try Picture.decode(png.bytes, background: background).pixels
    #expect(pixels == [7, 8, 9, 1, 2, 3, 100, 110, 120])
  }

  @Test func makesTheColorOfTRNSTransparent() throws {
    let gray = HandmadePNG(
      width: 2, height: 1, colorType: .gray, data: [0, 7, 8],
      chunksBeforeData: [("tRNS", [0, 7])])
    #expect(try Picture.decode(gray.bytes).pixels == [255, 255, 255, 8, 8, 8])
    let rgb = HandmadePNG(
      width: 3, height: 1, bitDepth: 16, colorType: .rgb,
      data: [0, 0, 1, 0, 2, 0, 3, 0, 1, 0, 2, 1, 3, 255, 255, 0, 0, 255, 255],
      chunksBeforeData: [("tRNS", [0, 1, 0, 2, 0, 3])])
    // The second pixel differs from the first only in blue: 259, which rounds to 1.
    #expect(try Picture.decode(rgb.bytes).pixels == [255, 255, 255, 0, 0, 1, 255, 0, 255])
  }

  /// All 65536 values in one picture.
  @Test func roundsSixteenBits() throws {
    let rows: [UInt8] = (0...255).flatMap { high in
      [0] + (0...255).flatMap { [UInt8(high), UInt8($0)] }
    }
    let png = HandmadePNG(width: 256, height: 256, bitDepth: 16, colorType: .gray, data: rows)
    let rounded = (0...65535).map { UInt8(($0 * 255 + 32767) / 65535) }
    #expect(try Picture.decode(png.bytes).pixels == gray(rounded))
  }

  @Test func compositesAlpha() throws {
    let png = HandmadePNG(
      width: 3, height: 1, colorType: .rgba,
      data: [0, 10, 20, 30, 0, 10, 20, 30, 255, 10, 20, 30, 51])
    // A fifth of the pixel: (10 × 51 + 255 × 204 + 127) / 255 = 206, likewise 208 and 210.
    #expect(try Picture.decode(png.bytes).pixels == [255, 255, 255, 10, 20, 30, 206, 208, 210])
    // (10 × 51 + 1 × 204 + 127) / 255 = 3, (20 × 51 + 127) / 255 = 4,
    // (30 × 51 + 200 × 204 + 127) / 255 = 166.
    #expect(
      try Picture.decode(png.bytes, background: RGBColor(red: 1, green: 0, blue: 200)).pixels
        == [1, 0, 200, 10, 20, 30, 3, 4, 166])
    let gray = HandmadePNG(width: 1, height: 1, colorType: .grayAlpha, data: [0, 10, 51])
    #expect(try Picture.decode(gray.bytes).pixels == [206, 206, 206])
  }

  /// Clockwise: the left pixel becomes the top one.
  @Test func theFirstExifOrientationCounts() throws {
    var png = HandmadePNG(width: 2, height: 1, colorType: .gray, data: [0, 1, 2])
    let turned = ("eXIf", exifContent(orientation: 6, isLittleEndian: true))
    let upright = ("eXIf", exifContent(orientation: 1, isLittleEndian: true))
    (png.chunksBeforeData, png.chunksAfterData) = ([turned, upright], [upright])
    let image = try Picture.decode(png.bytes)
    #expect((image.width, image.height) == (1, 2))
    #expect(image.pixels == gray([1, 2]))
  }

  @Test(arguments: [true, false])
  func exifWithAWrongChecksumCountsAsAbsent(isBeforeData: Bool) throws {
    let damaged = exifContent(orientation: 6, isLittleEndian: true)
    let sound = exifContent(orientation: 3, isLittleEndian: true)
    func png(_ contents: [[UInt8]]) throws -> [UInt8] {
      var png = HandmadePNG(width: 2, height: 1, colorType: .gray, data: [0, 1, 2])
      let chunks = contents.map { ("eXIf", $0) }
      if isBeforeData { png.chunksBeforeData = chunks } else { png.chunksAfterData = chunks }
      var bytes = png.bytes
      let checksum = try #require(bytes.firstRange(of: damaged)).upperBound
      bytes[checksum] ^= 1
      return bytes
    }
    #expect(try Picture.decode(png([damaged])).pixels == gray([1, 2]))
    #expect(try Picture.decode(png([damaged, sound])).pixels == gray([2, 1]))
  }

  @Test func exifAfterTheEndCountsAsAbsent() throws {
    let png = HandmadePNG(width: 2, height: 1, colorType: .gray, data: [0, 1, 2])
    let exif = pngChunk("eXIf", exifContent(orientation: 3, isLittleEndian: true))
    #expect(try Picture.decode(png.bytes + exif).pixels == gray([1, 2]))
  }

  @Test func ignoresGamma() throws {
    let png = HandmadePNG(
      width: 1, height: 1, colorType: .gray, data: [0, 100],
      chunksBeforeData: [("gAMA", bigEndian(100_000))])
    #expect(try Picture.decode(png.bytes).pixels == [100, 100, 100])
  }
}

@Suite struct PNGReaderTests {
  static let small = HandmadePNG(width: 2, height: 2, colorType: .gray, data: [0, 1, 2, 0, 3, 4])

  private func reason(
    _ bytes: [UInt8], limits: Picture.Limits = Picture.Limits()
  ) -> PictureError.Reason? {
    do throws(PictureError) {
      _ = try Picture.decode(bytes, limits: limits)
      return nil
    } catch {
      #expect(error.source == "<bytes>")
      return error.reason
    }
  }

  /// PNG specification, 8.2: the pass of each pixel in a block of 8 × 8.
  static let adam7 = [
    [1, 6, 4, 6, 2, 6, 4, 6],
    [7, 7, 7, 7, 7, 7, 7, 7],
    [5, 6, 5, 6, 5, 6, 5, 6],
    [7, 7, 7, 7, 7, 7, 7, 7],
    [3, 6, 4, 6, 3, 6, 4, 6],
    [7, 7, 7, 7, 7, 7, 7, 7],
    [5, 6, 5, 6, 5, 6, 5, 6],
    [7, 7, 7, 7, 7, 7, 7, 7],
  ]

  /// Among sides up to 9 every pass is empty at least once.
  @Test(arguments: 1...9, 1...9)
  func placesInterlacedPixels(width: Int, height: Int) throws {
    for colorType in [HandmadePNG.ColorType.rgb, .rgba] {
      var data: [UInt8] = []
      for pass in 1...7 {
        for y in 0..<height {
          let columns = (0..<width).filter { x in Self.adam7[y % 8][x % 8] == pass }
          if columns.isEmpty { continue }
          data.append(0)
          for x in columns {
            data += [UInt8(x), UInt8(y), 77] + (colorType == .rgba ? [255] : [])
          }
        }
      }
      let png = HandmadePNG(
        width: width, height: height, colorType: colorType, isInterlaced: true, data: data)
      let image = try Picture.decode(png.bytes)
      for y in 0..<height {
        for x in 0..<width {
          #expect(image[x, y] == RGBColor(red: UInt8(x), green: UInt8(y), blue: 77))
        }
      }
    }
  }

  /// Behind the rows are the data's checksum, 4 bytes, that of its chunk, 4, and IEND, 12.
  @Test func readsWhatEndsBehindTheLastRow() throws {
    let bytes = Self.small.bytes
    let whole = try Picture.decode(bytes)
    for count in 0..<bytes.count {
      let cut = Array(bytes[..<count])
      if count >= bytes.count - 20 {
        #expect(try Picture.decode(cut) == whole, "\(count) bytes")
      } else {
        #expect(reason(cut) != nil, "\(count) bytes")
      }
    }
    #expect(try Picture.decode(bytes + [1, 2, 3]) == whole)
  }

  /// The first row is there, and the second black; a wrong checksum leaves both in doubt.
  @Test func saysWhatIsMissing() throws {
    let bytes = Self.small.bytes
    let cut = try Picture.decodeStored(Array(bytes.dropLast(23)), acceptsDamage: true)
    #expect(cut.image.pixels == [1, 1, 1, 2, 2, 2, 0, 0, 0, 0, 0, 0])
    #expect(
      cut.damage == .init(rows: 1, of: 2, reason: "libpng: the data ends before the picture does"))
    var wrong = bytes
    wrong[bytes.count - 13] ^= 1
    #expect(reason(wrong) == .damaged(.init(rows: 2, of: 2, reason: "libpng: IDAT: CRC error")))
    #expect(
      try Picture.decodeStored(wrong, acceptsDamage: true).image.pixels
        == Picture.decode(bytes).pixels)
  }

  /// Until finer passes come, pixels stand for their neighbours: of the first pass one for 8 × 8.
  @Test func fillsInWhatAnInterlacedPictureLacks() throws {
    let png = HandmadePNG(
      width: 16, height: 8, colorType: .gray, isInterlaced: true, data: [0, 50, 90])
    let stored = try Picture.decodeStored(png.bytes, acceptsDamage: true)
    let row = [UInt8](repeating: 50, count: 24) + [UInt8](repeating: 90, count: 24)
    #expect(stored.image.pixels == Array([[UInt8]](repeating: row, count: 8).joined()))
    #expect(stored.damage?.rows == 8)
  }

  /// The chunk CgBI comes before IHDR, and its pixels are neither RGB nor zlib's data.
  @Test func saysHowToUndoXcode() {
    let bytes = Self.small.bytes
    let apple = bytes[..<8] + pngChunk("CgBI", [0x50, 0, 0x20, 6]) + bytes[8...]
    let message = reason(Array(apple))?.description
    #expect(message?.contains("Xcode has rewritten for iOS (CgBI), expected PNG") == true)
    #expect(message?.contains("pngcrush -revert-iphone-optimizations") == true)
  }

  @Test func throwsForMissingRows() {
    var png = Self.small
    png.data.removeLast(3)
    for (isInterlaced, rows) in [(false, 1), (true, 2)] {
      png.isInterlaced = isInterlaced
      #expect(
        reason(png.bytes)
          == .damaged(
            .init(rows: rows, of: 2, reason: "libpng: the image data is damaged or ends too early"))
      )
    }
  }

  /// Each byte of a PNG is checked by something: signature, lengths, types and checksums. What nevertheless is read
  /// has its pixels: a chunk of data that claims to be longer, or IEND.
  @Test func throwsOnEveryDamagedByteThatCostsPixels() throws {
    let whole = Self.small.bytes
    for index in whole.indices {
      var bytes = whole
      bytes[index] ^= 0x10
      guard let image = try? Picture.decode(bytes) else { continue }
      #expect(try image == Picture.decode(whole), "byte \(index)")
      #expect(index >= whole.count - 12 || (33..<37).contains(index), "byte \(index)")
    }
  }

  /// Values of 10 bits in 16, with a hot pixel among 2,000: rounded, all would be 0 to 4.
  @Test func stretchesWhatUsesLittleOfItsRange() throws {
    func png(_ values: [Int]) -> [UInt8] {
      let rows = values.map { [UInt8($0 >> 8), UInt8($0 & 255)] }.flatMap(\.self)
      return HandmadePNG(
        width: values.count, height: 1, bitDepth: 16, colorType: .gray, data: [0] + rows
      ).bytes
    }
    let ramp = (0..<2000).map { 100 + $0 / 2 }
    let stored = try Picture.decodeStored(png([65_535] + ramp))
    #expect(stored.isStretched && stored.usedRange.map { abs($0 - 0.0152) < 0.001 } == true)
    let grays = stride(from: 0, to: stored.image.pixels.count, by: 3).map {
      stored.image.pixels[$0]
    }
    #expect(grays[1] == 0 && grays[2000] == 255 && grays[0] == 255)
    #expect(abs(Int(grays[1001]) - 128) <= 1)
    let wide = (0..<2000).map { 8 * $0 }
    let plain = try Picture.decodeStored(png(wide))
    #expect(!plain.isStretched && plain.image.pixels.max() == 62)
    #expect(try Picture.decodeStored(png(wide), isStretched: true).image.pixels.max() == 255)
    #expect(
      try Picture.decodeStored(png([500, 500])).image.pixels == [UInt8](repeating: 2, count: 6))
  }

  @Test func saysHowOpaqueItIs() throws {
    func alpha(_ alphas: [UInt8]) throws -> UInt8? {
      let data: [UInt8] = [0] + alphas.flatMap { alpha -> [UInt8] in [9, alpha] }
      let png = HandmadePNG(width: alphas.count, height: 1, colorType: .grayAlpha, data: data)
      return try Picture.decodeStored(png.bytes).largestAlpha
    }
    #expect(try alpha([0, 0]) == 0)
    #expect(try alpha([0, 3, 1]) == 3)
    #expect(try Picture.decodeStored(Self.small.bytes).largestAlpha == nil)
  }

  @Test func toleratesADamagedAncillaryChunk() throws {
    var png = Self.small
    png.chunksBeforeData = [("tEXt", Array("Title".utf8) + [0, 65])]
    var bytes = png.bytes
    bytes[8 + 25 + 8 + 2] ^= 1  // in the text, after the signature, IHDR and the chunk's header
    #expect(try Picture.decode(bytes) == Picture.decode(Self.small.bytes))
  }

  @Test func forwardsLibpngsMessage() {
    var bytes = Self.small.bytes
    bytes[8 + 8 + 8] ^= 1  // the bit depth
    #expect(reason(bytes) == .library("libpng", message: "IHDR: CRC error"))
  }

  /// 8000 × 8000 in less than 100 bytes: refused by arithmetic alone.
  @Test func refusesAClaimThatTheFileCannotHold() {
    var png = Self.small
    (png.width, png.height) = (8000, 8000)
    #expect(
      reason(png.bytes)
        == .impossibleClaim(
          width: 8000, height: 8000, samples: "64000000 bytes", fileBytes: png.bytes.count,
          format: "PNG"))
  }

  /// 30,000 × 30,000 in a few KB of data: refused by its header, whatever the caller allows.
  @Test func refusesAZipBomb() {
    var png = Self.small
    (png.width, png.height, png.bitDepth) = (30_000, 30_000, 1)
    png.data = [UInt8](repeating: 0, count: 4096)
    var limits = Picture.Limits()
    for (asked, limit) in [(64_000_000, 64_000_000), (.max, RGBImage.maximumPixels)] {
      limits.maximumPixels = asked
      #expect(
        reason(png.bytes, limits: limits)
          == .tooLarge(.pixels(width: 30_000, height: 30_000, limit: limit)))
    }
  }

  @Test func keepsItsLimits() {
    var png = Self.small
    png.width = 65_536
    #expect(reason(png.bytes) == .tooLarge(.side(width: 65_536, height: 2, limit: 65_535)))
    (png.width, png.height) = (Int(Int32.max), Int(Int32.max))
    #expect(reason(png.bytes) != nil)
    (png.width, png.height) = (8001, 8000)
    #expect(reason(png.bytes) == .tooLarge(.pixels(width: 8001, height: 8000, limit: 64_000_000)))
    let small = Self.small.bytes
    var limits = Picture.Limits()
    limits.maximumPixels = 3
    #expect(reason(small, limits: limits) == .tooLarge(.pixels(width: 2, height: 2, limit: 3)))
    limits.maximumFileBytes = 20
    #expect(reason(small, limits: limits) == .tooLarge(.bytes(found: small.count, limit: 20)))
  }
}
