// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceRaster

@Suite struct PixelFormatTests {
  /// Two rows of two pixels, each row padded by one byte, the last one not.
  @Test(
    arguments: [
      (PixelFormat.rgb, [1, 2, 3, 4, 5, 6, 99, 7, 8, 9, 10, 11, 12]),
      (.bgr, [3, 2, 1, 6, 5, 4, 99, 9, 8, 7, 12, 11, 10]),
      (.rgba, [1, 2, 3, 0, 4, 5, 6, 7, 99, 7, 8, 9, 0, 10, 11, 12, 0]),
      (.bgra, [3, 2, 1, 0, 6, 5, 4, 7, 99, 9, 8, 7, 0, 12, 11, 10, 0]),
    ] as [(PixelFormat, [UInt8])])
  func copiesPaddedRows(format: PixelFormat, bytes: [UInt8]) throws {
    let image = try RGBImage(
      copying: bytes, width: 2, height: 2, format: format, bytesPerRow: 2 * format.channels + 1)
    #expect(image.pixels == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    let fromSpan = try RGBImage(
      copying: bytes.span.bytes, width: 2, height: 2, format: format,
      bytesPerRow: 2 * format.channels + 1)
    #expect(fromSpan == image)
  }

  @Test func copiesGray() throws {
    let image = try RGBImage(
      copying: [1, 2, 99, 3, 4], width: 2, height: 2, format: .gray, bytesPerRow: 3)
    #expect(image.pixels == [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
  }

  /// Alpha, padding and what follows stay.
  @Test func writesColorsAlone() throws {
    var image = RGBImage(width: 2, height: 2)
    image[1, 0] = RGBColor(red: 1, green: 2, blue: 3)
    var bytes = [UInt8](repeating: 9, count: 20)
    try image.write(over: &bytes, format: .bgra, bytesPerRow: 10)
    #expect(bytes == [0, 0, 0, 9, 3, 2, 1, 9, 9, 9, 0, 0, 0, 9, 0, 0, 0, 9, 9, 9])
    var gray: [UInt8] = [9, 9, 9, 9]
    try image.write(over: &gray, format: .gray, bytesPerRow: 2)
    #expect(gray == [0, 1, 0, 0])
  }

  @Test func writesToNoBufferThatEndsEarly() {
    var bytes = [UInt8](repeating: 9, count: 11)
    for bytesPerRow in [6, 5] {
      #expect(throws: ValueError.self) {
        try RGBImage(width: 2, height: 2)
          .write(over: &bytes, format: .rgb, bytesPerRow: bytesPerRow)
      }
    }
    #expect(bytes == [UInt8](repeating: 9, count: 11))
  }

  /// A buffer that ends early, impossible rows and an impossible size.
  @Test(
    arguments: [
      (10, 1, 2, 8), (100, 2, 3, 5), (100, 2, 3, 0), (100, 2, 3, -6), (100, 2, 3, .min),
      (100, 2, 3, .max), (1, .max, 2, 1),
    ] as [(Int, Int, Int, Int)])
  func refusesImpossibleBuffers(count: Int, width: Int, height: Int, bytesPerRow: Int) {
    #expect(throws: ValueError.self) {
      try RGBImage(
        copying: [UInt8](repeating: 0, count: count), width: width, height: height,
        format: width == .max ? .gray : .bgr, bytesPerRow: bytesPerRow)
    }
  }
}
