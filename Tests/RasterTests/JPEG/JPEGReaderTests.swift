#if JPEG
  import Raster
  import Testing

  @Suite struct JPEGReaderTests {
    private func reason(_ bytes: [UInt8]) -> PictureError.Reason? {
      do throws(PictureError) {
        _ = try JPEG.decode(bytes)
        return nil
      } catch {
        return error.reason
      }
    }

    @Test(arguments: JPEGReadingTests.fixtures)
    func throwsOnEveryTruncation(fixture: String) throws {
      let bytes = try JPEGReadingTests.bytes(fixture)
      for count in 0..<bytes.count {
        #expect(reason(Array(bytes[..<count])) != nil, "\(count) bytes")
      }
      #expect(try JPEG.decode(bytes + [1, 2, 3]) == JPEG.decode(bytes))
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
          guard let image = try? JPEG.decode(bytes) else {
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
          == .library("libjpeg", message: "Corrupt JPEG data: premature end of data segment"))
    }

    /// Cameras add such padding.
    @Test func toleratesBytesBetweenSegments() throws {
      let jpeg = HandmadeJPEG(scanData: HandmadeJPEG.zeroBits(2) + [0, 0, 0])
      #expect(try JPEG.decode(jpeg.bytes) == JPEG.decode(HandmadeJPEG().bytes))
    }

    @Test func refusesAJPEGWithoutAnEnd() {
      let jpeg = HandmadeJPEG(width: 64, height: 64)
      #expect(
        reason(jpeg.bytes.dropLast(2))
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
      #expect(
        throws: PictureError(
          source: "<bytes>", reason: .tooLarge(.pixels(width: 9, height: 8, limit: 71)))
      ) { try JPEG.decode(bytes, limits: limits) }
      limits = Picture.Limits()
      limits.maximumSide = 8
      #expect(
        throws: PictureError(
          source: "<bytes>", reason: .tooLarge(.side(width: 9, height: 8, limit: 8)))
      ) { try JPEG.decode(bytes, limits: limits) }
      limits = Picture.Limits()
      limits.maximumFileBytes = 20
      #expect(
        throws: PictureError(
          source: "<bytes>", reason: .tooLarge(.bytes(found: bytes.count, limit: 20)))
      ) { try JPEG.decode(bytes, limits: limits) }
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
      #expect(try JPEG.decode(jpeg.bytes).width == 8)
      jpeg.scans = 101
      #expect(reason(jpeg.bytes) == .library("libjpeg", message: "too many scans"))
    }

    @Test func refusesUnsupportedKinds() {
      #expect(reason(HandmadeJPEG(frame: .arithmetic).bytes) == .arithmeticCoding)
      #expect(reason(HandmadeJPEG(components: 2).bytes) == .unknownColors(components: 2))
      #expect(reason(HandmadeJPEG(components: 4).bytes) == .unknownColors(components: 4))
      // libjpeg's messages differ from version to version.
      for jpeg in [
        HandmadeJPEG(frame: .lossless), HandmadeJPEG(bitsPerSample: 12),
        HandmadeJPEG(width: 0), HandmadeJPEG(height: 0), HandmadeJPEG(components: 0),
      ] {
        guard case .library("libjpeg", _) = reason(jpeg.bytes) else {
          Issue.record(
            "expected an error of libjpeg, found \(String(describing: reason(jpeg.bytes)))")
          continue
        }
      }
      #expect(reason(Array("GIF89a".utf8)) == .otherFormat(format: "JPEG", looksLike: "GIF"))
      #expect(reason([]) == .otherFormat(format: "JPEG", looksLike: "an empty file"))
      #expect(reason([0xFF, 0xD8]) == .otherFormat(format: "JPEG", looksLike: nil))
    }
  }
#endif
