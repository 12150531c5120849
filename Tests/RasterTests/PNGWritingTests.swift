// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceRaster

@Suite struct PNGWritingTests {
  /// Every byte value, in rows of an odd length.
  static let image = try! RGBImage(
    width: 17, height: 13, pixels: (0..<3 * 17 * 13).map { UInt8(truncatingIfNeeded: $0 * 7) })

  @Test func survivesARoundTripInMemory() throws {
    #expect(try Picture.decode(PNG.encode(Self.image)) == Self.image)
    let dot = RGBImage(width: 1, height: 1, fill: RGBColor(red: 1, green: 2, blue: 3))
    #expect(try Picture.decode(PNG.encode(dot)) == dot)
  }

  @Test func declaresEightBitRGB() throws {
    let signatureBytes = 8
    let header = try PNG.encode(Self.image).dropFirst(signatureBytes).prefix(21)
    #expect(
      Array(header)
        == bigEndian(13) + Array("IHDR".utf8) + bigEndian(17) + bigEndian(13) + [8, 2, 0, 0, 0])
  }

  @Test func survivesARoundTripThroughAFile() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "picture.png").path
      try PNG.write(RGBImage(width: 1, height: 1), to: path)
      try PNG.write(Self.image, to: path)
      #expect(try Picture.read(path: path) == Self.image)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["picture.png"])
    }
  }
}
