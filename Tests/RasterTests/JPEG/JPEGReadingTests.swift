// SPDX-License-Identifier: Apache-2.0
#if JPEG
  import Foundation
  import Testing

  @testable import YOLOFaceRaster

  @Suite struct JPEGReadingTests {
    /// The files that `Fixtures/make_fixtures.py` drew.
    static let fixtures = ["baseline", "progressive", "grey", "orientation-6", "cmyk"]

    static func path(_ fixture: String) -> String {
      URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "Fixtures/\(fixture).jpg").path
    }

    static func bytes(_ fixture: String) throws -> [UInt8] {
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(fixture))))
    }

    private static func color(_ x: Int, _ y: Int) -> [Int] {
      [20 + 4 * x, 230 - 5 * y, 60 + 2 * x + 2 * y]
    }

    /// All are of quality 100, which rounds coefficients to whole numbers, so that a component is
    /// off by 1 at most. To luma's error, red and blue add 1.4 and 1.8 times that of a chroma
    /// component; where chroma was subsampled, they also add half a step of its slope at the edge.
    ///
    /// On average errors cancel out; a pixel in its neighbour's place would be off by 4.
    private func expect(
      _ image: RGBImage, _ width: Int, _ height: Int, tolerance: Int,
      _ formula: (_ x: Int, _ y: Int) -> [Int]
    ) {
      #expect((image.width, image.height) == (width, height))
      var (largest, sum) = (0, 0)
      for y in 0..<image.height {
        for x in 0..<image.width {
          let color = image[x, y]
          for (found, expected) in zip([color.red, color.green, color.blue], formula(x, y)) {
            let error = abs(Int(found) - expected)
            largest = max(largest, error)
            sum += error
          }
        }
      }
      #expect(largest <= tolerance)
      #expect(Double(sum) / Double(3 * image.width * image.height) < 1)
    }

    @Test(arguments: ["baseline", "progressive"])
    func readsColor(fixture: String) throws {
      expect(try Picture.read(path: Self.path(fixture)), 45, 37, tolerance: 4, Self.color)
    }

    @Test func readsGray() throws {
      expect(try Picture.read(path: Self.path("grey")), 45, 37, tolerance: 1) { x, y in
        [Int](repeating: 30 + 3 * x + 2 * y, count: 3)
      }
    }

    /// The product of two samples, each off by 1 and at most 255 of 255.
    @Test func readsInks() throws {
      expect(try Picture.read(path: Self.path("cmyk")), 45, 37, tolerance: 3) { x, y in
        [200 - 3 * x, 40 + 4 * y, 100 + x + y].map { (255 - $0) * (255 - (60 + y)) / 255 }
      }
    }

    /// Clockwise: the stored left column becomes the top row.
    @Test func turnsByTheExifOrientation() throws {
      let image = try Picture.read(path: Self.path("orientation-6"))
      expect(image, 37, 45, tolerance: 4) { x, y in Self.color(y, 36 - x) }
    }

    /// The orientation in XMP, and a profile of RGB in two segments.
    @Test func readsWhatIsBesideThePixels() throws {
      let xmp = """
        <r:RDF xmlns:r='r' xmlns:t='http://ns.adobe.com/tiff/1.0/'><r:D t:Orientation='6'/></r:RDF>
        """
      var profile = [UInt8](repeating: 0, count: 200)
      profile[3] = 200
      profile.replaceSubrange(16..<20, with: "RGB ".utf8)
      profile.replaceSubrange(36..<40, with: "acsp".utf8)
      let icc = Array("ICC_PROFILE\0".utf8)
      var jpeg = HandmadeJPEG(width: 9, height: 1)
      jpeg.segmentsBeforeFrame = [
        (0xE2, icc + [2, 2] + profile[90...]), (0xE2, icc + [1, 2] + profile[..<90]),
        (0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(xmp)".utf8)),
      ]
      let stored = try Picture.decodeStored(jpeg.bytes)
      #expect(stored.orientation == .right && stored.upright.height == 9)
      let copy = try PNG.encode(stored.upright, color: stored.color)
      #expect(copy[37..<41].elementsEqual("iCCP".utf8))
      #expect(try Picture.decodeStored(copy).color == stored.color)
    }

    /// Adobe's and other segments that are not Exif.
    @Test func skipsOtherSegments() throws {
      var jpeg = HandmadeJPEG()
      jpeg.segmentsBeforeFrame = [
        (0xE1, Array("http://ns.adobe.com/xap/1.0/".utf8)), (0xE1, []), (0xE1, [0x45]),
        (0xE2, Array("ICC_PROFILE\0".utf8)), (0xFE, Array("a comment".utf8)),
      ]
      #expect(try Picture.decode(jpeg.bytes).pixels == [UInt8](repeating: 128, count: 3 * 64))
    }

    @Test(arguments: [HandmadeJPEG.Frame.baseline, .progressive], [1, 8, 9, 64])
    func readsZerosAsTheMiddle(frame: HandmadeJPEG.Frame, side: Int) throws {
      var jpeg = HandmadeJPEG(width: side, height: 10, frame: frame)
      jpeg.scans = frame == .progressive ? 2 : 1
      let image = try Picture.decode(jpeg.bytes)
      #expect((image.width, image.height) == (side, 10))
      #expect(image.pixels == [UInt8](repeating: 128, count: 30 * side))
    }

    /// Inks that transmit 128 of 255, or 127 as the complement of a luma of 128, and black 128:
    /// 128 × 128 / 255 = 64.25, 127 × 128 / 255 = 63.75.
    @Test(arguments: [0, 2, nil] as [UInt8?])
    func readsInksWithAndWithoutAdobesMarker(transform: UInt8?) throws {
      var jpeg = HandmadeJPEG(components: 4)
      jpeg.segmentsBeforeFrame = transform.map { [HandmadeJPEG.adobe(transform: $0)] } ?? []
      #expect(try Picture.decode(jpeg.bytes).pixels == [UInt8](repeating: 64, count: 3 * 64))
    }

    @Test func namesItsSuffixes() {
      #expect(Picture.fileSuffixes.starts(with: [".png", ".jpg", ".jpeg", ".jpe", ".jfif"]))
      #expect(Picture.formats.contains("JPEG"))
    }
  }

  @Suite struct JPEGReaderTests {
    private func reason(
      _ bytes: [UInt8], limits: Picture.Limits = Picture.Limits()
    ) -> PictureError.Reason? {
      do throws(PictureError) {
        _ = try Picture.decode(bytes, limits: limits)
        return nil
      } catch {
        return error.reason
      }
    }

    /// What is not refused is whole: EOI, and bits that only fill a byte, cost no pixel.
    @Test(arguments: JPEGReadingTests.fixtures)
    func throwsOnEveryTruncationThatCostsPixels(fixture: String) throws {
      let bytes = try JPEGReadingTests.bytes(fixture)
      let whole = try Picture.decode(bytes)
      for count in 0..<bytes.count - 2 {
        if let image = try? Picture.decode(Array(bytes[..<count])) {
          #expect(image == whole, "\(count) bytes")
          #expect(count > bytes.count - 6)
        }
      }
      let trailer = Array(
        "SEFH\u{FF}\u{DA}\0\u{03}\u{FF}\u{C4}\0\u{02}".unicodeScalars.map { UInt8($0.value) })
      for end in [[], [0xFF], trailer, bytes.suffix(2) + trailer] as [[UInt8]] {
        #expect(try Picture.decode(bytes.dropLast(2) + end) == whole)
      }
    }

    /// Warnings of libjpeg that cost no pixel: nonsense in a baseline scan's parameters, as Samsung and webcams write
    /// it, and Adobe's transform 2 for three components.
    @Test func acceptsOddDeclarations() throws {
      for band in [[0, 0, 0], [1, 63, 0], [255, 255, 255]] as [[UInt8]] {
        let jpeg = HandmadeJPEG(width: 17, components: 3, band: band)
        #expect(try Picture.decode(jpeg.bytes).pixels == [UInt8](repeating: 128, count: 3 * 8 * 17))
      }
      var jpeg = HandmadeJPEG(components: 3)
      jpeg.segmentsBeforeFrame = [HandmadeJPEG.adobe(transform: 2)]
      #expect(try Picture.decode(jpeg.bytes).pixels == [UInt8](repeating: 128, count: 3 * 64))
    }

    /// A hundred rows of blocks are more than the bits of the first half.
    @Test func saysWhatIsMissing() throws {
      let half = HandmadeJPEG(
        width: 64, height: 800, scanData: HandmadeJPEG.zeroBits(2 * 8 * 50)
      ).bytes
      let stored = try Picture.decodeStored(half, acceptsDamage: true)
      #expect(stored.damage?.rows == 400 && stored.damage?.height == 800)
      #expect(reason(half) == stored.damage.map { .damaged($0) })
      // Of a progressive picture whose data just ends, further scans are missing.
      let coarse = HandmadeJPEG(frame: .progressive, scans: 1).bytes
      #expect(reason(coarse) == nil)
      #expect(try Picture.decodeStored(coarse.dropLast(2), acceptsDamage: true).damage?.rows == 8)
    }

    /// A picture or an error, and never a picture out of proportion to the file: with the largest
    /// sampling factors, 4 × 4, a component has one block for 1024 pixels, and a block takes at
    /// least one bit.
    @Test(.timeLimit(.minutes(60)), arguments: JPEGReadingTests.fixtures)
    func survivesEveryDamagedByte(fixture: String) throws {
      let bytes = try JPEGReadingTests.bytes(fixture)
      var (pictures, errors) = (0, 0)
      for index in bytes.indices {
        for mask in [0x01, 0x10, 0x80, 0xFF] as [UInt8] {
          var bytes = bytes
          bytes[index] ^= mask
          guard let image = try? Picture.decode(bytes) else {
            errors += 1
            continue
          }
          pictures += 1
          #expect(image.pixels.count == 3 * image.width * image.height)
          #expect(image.width * image.height <= 1024 * 8 * bytes.count)
        }
      }
      #expect(pictures > 0)
      #expect(errors > 0)
    }

    @Test func refusesAScanWithoutData() {
      let jpeg = HandmadeJPEG(width: 64, height: 64, scanData: [])
      #expect(
        reason(jpeg.bytes)
          == .damaged(
            Picture.Damage(
              rows: 64, of: 64, reason: "libjpeg: Corrupt JPEG data: premature end of data segment")
          ))
    }

    /// Cameras add such padding.
    @Test func toleratesBytesBetweenSegments() throws {
      let jpeg = HandmadeJPEG(scanData: HandmadeJPEG.zeroBits(2) + [0, 0, 0])
      #expect(try Picture.decode(jpeg.bytes) == Picture.decode(HandmadeJPEG().bytes))
    }

    @Test func refusesAJPEGWithoutAPicture() {
      #expect(
        reason([0xFF, 0xD8, 0xFF])
          == .library("libjpeg", message: "the data ends before the picture does"))
    }

    @Test func refusesClaimsBeyondItsLimits() throws {
      #expect(
        reason(HandmadeJPEG(width: 65_500, height: 65_500, scanData: [0]).bytes)
          == .tooLarge(.pixels(width: 65_500, height: 65_500, limit: 64_000_000)))
      // 65,500 is libjpeg's own limit.
      #expect(
        reason(HandmadeJPEG(width: 65_501, height: 1, scanData: [0]).bytes)
          == .library("libjpeg", message: "Maximum supported image dimension is 65500 pixels"))

      let bytes = HandmadeJPEG(width: 9, height: 8).bytes
      var limits = Picture.Limits()
      limits.maximumPixels = 71
      #expect(reason(bytes, limits: limits) == .tooLarge(.pixels(width: 9, height: 8, limit: 71)))
      limits.maximumSide = 8
      #expect(reason(bytes, limits: limits) == .tooLarge(.side(width: 9, height: 8, limit: 8)))
      limits.maximumFileBytes = 20
      #expect(reason(bytes, limits: limits) == .tooLarge(.bytes(found: bytes.count, limit: 20)))
    }

    /// A million blocks in a few hundred bytes: refused by arithmetic alone.
    @Test func refusesAClaimThatTheFileCannotHold() {
      let bytes = HandmadeJPEG(width: 8000, height: 8000, scanData: [0]).bytes
      #expect(
        reason(bytes)
          == .impossibleClaim(
            width: 8000, height: 8000, samples: "1000000 blocks", fileBytes: bytes.count,
            format: "JPEG"))
    }

    @Test func limitsTheScans() throws {
      var jpeg = HandmadeJPEG(frame: .progressive, scans: 100)
      #expect(try Picture.decode(jpeg.bytes).width == 8)
      jpeg.scans = 101
      #expect(reason(jpeg.bytes) == .library("libjpeg", message: "too many scans"))
    }

    @Test func refusesUnsupportedKinds() {
      #expect(reason(HandmadeJPEG(frame: .arithmetic).bytes) == .arithmeticCoding)
      #expect(reason(HandmadeJPEG(components: 2).bytes) == .unknownColors(components: 2))
      // libjpeg's messages differ from version to version.
      for jpeg in [
        HandmadeJPEG(frame: .lossless), HandmadeJPEG(bitsPerSample: 12),
        HandmadeJPEG(width: 0), HandmadeJPEG(height: 0), HandmadeJPEG(components: 0),
      ] {
        let description = reason(jpeg.bytes)?.description
        #expect(description?.hasPrefix("libjpeg: ") == true)
      }
    }
  }
#endif
