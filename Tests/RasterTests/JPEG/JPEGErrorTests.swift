#if JPEG
  import Raster
  import Testing

  @Suite struct JPEGErrorTests {
    @Test(
      arguments: [
        (.notJPEG(looksLike: "GIF"), "a.jpg: not a JPEG: this looks like GIF"),
        (.notJPEG(looksLike: nil), "a.jpg: not a JPEG: the start-of-image marker is missing"),
        (.tooLarge(.bytes(found: 3, limit: 2)), "a.jpg: the file has 3 bytes, the limit is 2"),
        (
          .tooLarge(.side(width: 9, height: 1, limit: 8)),
          "a.jpg: the picture is 9 × 1, the limit for a side is 8"
        ),
        (
          .tooLarge(.pixels(width: 9, height: 2, limit: 8)),
          "a.jpg: the picture is 9 × 2, the limit is 8 pixels"
        ),
        (
          .impossibleClaim(width: 8000, height: 8000, blocks: 1_000_000, fileBytes: 70),
          "a.jpg: the picture claims 8000 × 8000, 1000000 blocks of samples, "
            + "which 70 bytes of JPEG cannot hold"
        ),
        (
          .arithmeticCoding,
          "a.jpg: found arithmetic coding, expected Huffman codes; "
            + "convert it, for example with ImageMagick"
        ),
        (
          .unknownColors(components: 2),
          "a.jpg: found 2 components, expected grey, YCbCr, RGB, or CMYK with Adobe's segment"
        ),
        (.libjpeg("too many scans"), "a.jpg: libjpeg: too many scans"),
      ] as [(JPEGError.Reason, String)])
    func saysWhatHappened(reason: JPEGError.Reason, expected: String) {
      #expect(JPEGError(source: "a.jpg", reason: reason).description == expected)
    }
  }
#endif
