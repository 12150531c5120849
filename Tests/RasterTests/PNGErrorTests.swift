import Raster
import Testing

@Suite struct PNGErrorTests {
  @Test(
    arguments: [
      (.notPNG(looksLike: "JPEG"), "a.png: not a PNG: this looks like JPEG"),
      (.notPNG(looksLike: nil), "a.png: not a PNG: the signature is missing"),
      (.tooLarge(.bytes(found: 3, limit: 2)), "a.png: the file has 3 bytes, the limit is 2"),
      (
        .tooLarge(.side(width: 9, height: 1, limit: 8)),
        "a.png: the picture is 9 × 1, the limit for a side is 8"
      ),
      (
        .tooLarge(.pixels(width: 9, height: 2, limit: 8)),
        "a.png: the picture is 9 × 2, the limit is 8 pixels"
      ),
      (
        .impossibleClaim(width: 8000, height: 8000, claimedBytes: 64_000_000, fileBytes: 70),
        "a.png: the picture claims 8000 × 8000, 64000000 bytes of samples, "
          + "which 70 bytes of PNG cannot hold"
      ),
      (.libpng("IDAT: CRC error"), "a.png: libpng: IDAT: CRC error"),
    ] as [(PNGError.Reason, String)])
  func saysWhatHappened(reason: PNGError.Reason, expected: String) {
    #expect(PNGError(source: "a.png", reason: reason).description == expected)
  }
}
