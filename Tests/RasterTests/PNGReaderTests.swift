import Testing

@testable import Raster

@Suite struct PNGReaderTests {
  static let small = HandmadePNG(width: 2, height: 2, colorType: .gray, data: [0, 1, 2, 0, 3, 4])

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
      let image = try PNG.decode(png.bytes)
      for y in 0..<height {
        for x in 0..<width {
          #expect(image[x, y] == Color(red: UInt8(x), green: UInt8(y), blue: 77))
        }
      }
    }
  }

  @Test func throwsOnEveryTruncation() throws {
    let bytes = Self.small.bytes
    for count in 0..<bytes.count {
      #expect(throws: PictureError.self, "\(count) bytes") {
        try PNG.decode(Array(bytes[..<count]))
      }
    }
    #expect(
      throws: PictureError(
        source: "<bytes>", reason: .otherFormat(format: "PNG", looksLike: "an empty file"))
    ) {
      try PNG.decode([])
    }
    #expect(try PNG.decode(bytes + [1, 2, 3]).width == 2)
  }

  @Test func throwsForMissingRows() {
    var png = Self.small
    png.data.removeLast(3)
    let reason = PictureError.Reason.library(
      "libpng", message: "the image data is damaged or ends too early")
    #expect(throws: PictureError(source: "<bytes>", reason: reason)) { try PNG.decode(png.bytes) }
    png.isInterlaced = true
    #expect(throws: PictureError(source: "<bytes>", reason: reason)) { try PNG.decode(png.bytes) }
  }

  /// Each byte of a PNG is checked by something: signature, lengths, types and checksums.
  @Test func throwsOnEveryDamagedByteOfACriticalChunk() throws {
    for index in Self.small.bytes.indices {
      var bytes = Self.small.bytes
      bytes[index] ^= 0x10
      #expect(throws: PictureError.self, "byte \(index)") { try PNG.decode(bytes) }
    }
  }

  @Test func toleratesADamagedAncillaryChunk() throws {
    var png = Self.small
    png.chunksBeforeData = [("tEXt", Array("Title".utf8) + [0, 65])]
    var bytes = png.bytes
    bytes[8 + 25 + 8 + 2] ^= 1  // in the text, after the signature, IHDR and the chunk's header
    #expect(try PNG.decode(bytes) == PNG.decode(Self.small.bytes))
  }

  @Test func forwardsLibpngsMessage() {
    var bytes = Self.small.bytes
    bytes[8 + 8 + 8] ^= 1  // the bit depth
    #expect(
      throws: PictureError(
        source: "<bytes>", reason: .library("libpng", message: "IHDR: CRC error"))
    ) {
      try PNG.decode(bytes)
    }
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10], "JPEG"),
      (
        [0x89] + Array("PNG\n\u{1A}\n".utf8),
        "a PNG whose signature was damaged, as by a text-mode transfer"
      ),
      (Array("hello".utf8), nil),
    ] as [([UInt8], String?)])
  func namesFilesThatAreNotPNG(bytes: [UInt8], name: String?) {
    #expect(
      throws: PictureError(source: "<bytes>", reason: .otherFormat(format: "PNG", looksLike: name))
    ) {
      try PNG.decode(bytes)
    }
  }

  /// 8000 × 8000 in less than 100 bytes: refused by arithmetic alone.
  @Test func refusesAClaimThatTheFileCannotHold() {
    var png = Self.small
    png.width = 8000
    png.height = 8000
    let bytes = png.bytes
    let reason = PictureError.Reason.impossibleClaim(
      width: 8000, height: 8000, samples: "64000000 bytes", fileBytes: bytes.count,
      format: "PNG")
    #expect(throws: PictureError(source: "<bytes>", reason: reason)) { try PNG.decode(bytes) }
  }

  /// 30,000 × 30,000 in a few KB of data: refused by its header, whatever the caller allows.
  @Test func refusesAZipBomb() {
    var png = Self.small
    (png.width, png.height, png.bitDepth) = (30_000, 30_000, 1)
    png.data = [UInt8](repeating: 0, count: 4096)
    let bytes = png.bytes
    let tooMany = PictureError.Reason.tooLarge(
      .pixels(width: 30_000, height: 30_000, limit: 64_000_000))
    #expect(throws: PictureError(source: "<bytes>", reason: tooMany)) { try PNG.decode(bytes) }

    var limits = PNG.Limits()
    limits.maximumPixels = .max
    #expect(
      throws: PictureError(
        source: "<bytes>",
        reason: .tooLarge(.pixels(width: 30_000, height: 30_000, limit: RGBImage.maximumPixels)))
    ) { try PNG.decode(bytes, limits: limits) }
  }

  @Test func keepsItsLimits() {
    var png = Self.small
    png.width = 65_536
    #expect(
      throws: PictureError(
        source: "<bytes>", reason: .tooLarge(.side(width: 65_536, height: 2, limit: 65_535)))
    ) { try PNG.decode(png.bytes) }
    png.width = Int(Int32.max)
    png.height = Int(Int32.max)
    #expect(throws: PictureError.self) { try PNG.decode(png.bytes) }
    png.width = 8001
    png.height = 8000
    #expect(
      throws: PictureError(
        source: "<bytes>",
        reason: .tooLarge(.pixels(width: 8001, height: 8000, limit: 64_000_000)))
    ) { try PNG.decode(png.bytes) }

    var limits = PNG.Limits()
    limits.maximumPixels = 3
    #expect(
      throws: PictureError(
        source: "<bytes>", reason: .tooLarge(.pixels(width: 2, height: 2, limit: 3)))
    ) { try PNG.decode(Self.small.bytes, limits: limits) }
    limits = PNG.Limits()
    limits.maximumFileBytes = 20
    #expect(
      throws: PictureError(
        source: "<bytes>", reason: .tooLarge(.bytes(found: Self.small.bytes.count, limit: 20)))
    ) { try PNG.decode(Self.small.bytes, limits: limits) }
  }
}
