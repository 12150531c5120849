import Raster
import Testing

@Suite struct AreaResizeTests {
  /// 5 × 3 pixels.
  static let pixels: [UInt8] = [
    0, 37, 74, 111, 148, 185, 222, 3, 40, 77, 114, 151, 188, 225, 6,
    43, 80, 117, 154, 191, 228, 9, 46, 83, 120, 157, 194, 231, 12, 49,
    86, 123, 160, 197, 234, 15, 52, 89, 126, 163, 200, 237, 18, 55, 92,
  ]

  /// The literals are OpenCV's: cv2.resize(…, interpolation=cv2.INTER_AREA) of 5.0.0. It may round
  /// a half the other way; none occurs here.
  @Test(
    arguments: [
      (2, 2, [86, 89, 126, 148, 116, 85, 109, 146, 115, 103, 105, 142]),
      (3, 1, [87, 124, 127, 111, 97, 117, 135, 121, 107]),
      (5, 1, [43, 80, 117, 154, 191, 143, 94, 46, 83, 120, 157, 194, 146, 97, 49]),
    ] as [(Int, Int, [UInt8])])
  func agreesWithOpenCV(width: Int, height: Int, expected: [UInt8]) throws {
    let image = try RGBImage(width: 5, height: 3, pixels: Self.pixels)
    #expect(try image.resized(width: width, height: height, filter: .area).pixels == expected)
  }

  /// Three pixels to two: half of the middle one belongs to each.
  /// (2 × 30 + 60) / 3 = 40 and (60 + 2 × 90) / 3 = 80.
  @Test func weighsPixelsByTheirArea() throws {
    let image = try RGBImage(width: 3, height: 1, pixels: [30, 0, 0, 60, 0, 0, 90, 0, 0])
    let halved = try image.resized(width: 2, height: 1, filter: .area)
    #expect(halved.pixels == [40, 0, 0, 80, 0, 0])
  }
}
