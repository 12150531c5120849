// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceRaster

@Suite struct PictureErrorTests {
  @Test(
    arguments: [
      (.notPNG(looksLike: "JPEG"), "not a PNG: this looks like JPEG"),
      (.notPNG(looksLike: nil), "not a PNG: the signature is missing"),
      (.tooLarge(.bytes(found: 3, limit: 2)), "the file has 3 bytes, the limit is 2"),
      (.tooLarge(.side(width: 9, height: 1, limit: 8)), "9 × 1, the limit for a side is 8"),
      (.tooLarge(.pixels(width: 9, height: 2, limit: 8)), "9 × 2, the limit is 8 pixels"),
      (
        .impossibleClaim(width: 9, height: 8, samples: "72 bytes", fileBytes: 70, format: "PNG"),
        "the picture claims 9 × 8, 72 bytes of samples, which 70 bytes of PNG cannot hold"
      ),
      (.arithmeticCoding, "expected Huffman codes; convert it, for example with ImageMagick"),
      (.unknownColors(components: 2), "grey, YCbCr, RGB or CMYK"),
      (.animated, "found an animation, expected a single picture"),
      (
        .damaged(Picture.Damage(rows: 16, of: 512, reason: "it ends")),
        "16 of 512 rows are missing or may be wrong (3.1 %; it ends)"
      ),
      (.library("libpng", message: "IDAT: CRC error"), "libpng: IDAT: CRC error"),
      (.unsupported(found: "GIF", expected: "PNG"), "found GIF, expected PNG"),
    ] as [(PictureError.Reason, String)])
  func saysWhatHappened(reason: PictureError.Reason, expected: String) {
    let description = PictureError(source: "a.png", reason: reason).description
    #expect(description.hasPrefix("a.png: ") && description.hasSuffix(expected))
  }
}
