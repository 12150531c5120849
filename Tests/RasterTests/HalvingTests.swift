import TestSupport
import Testing

@testable import Raster

@Suite struct HalvingTests {
  /// The literals are OpenCV's: cv2.resize(…, (3, 2)) of 5.0.0, the same with INTER_LINEAR and
  /// INTER_AREA.
  @Test(arguments: ResizeFilter.allCases)
  func agreesWithOpenCV(filter: ResizeFilter) throws {
    let image = try RGBImage(
      width: 6, height: 4,
      pixels: [
        168, 229, 184, 171, 238, 171, 20, 206, 245, 153, 204, 5, 37, 53, 213, 206, 192, 173,
        6, 120, 63, 96, 236, 131, 118, 4, 87, 161, 124, 71, 42, 73, 237, 16, 194, 250,
        10, 103, 206, 13, 143, 2, 38, 71, 133, 118, 36, 98, 196, 35, 57, 146, 50, 179,
        145, 104, 206, 53, 141, 33, 181, 39, 151, 11, 180, 138, 66, 0, 165, 98, 123, 12,
      ])
    #expect(
      try image.resized(width: 3, height: 2, filter: filter).pixels == [
        110, 206, 137, 113, 135, 102, 75, 128, 218, 55, 123, 112, 87, 82, 130, 127, 52, 103,
      ])
  }

  /// The general filters have no special case for halving.
  @Test(arguments: [(2, 2), (4, 2), (2, 6), (6, 4), (34, 18), (1280, 8), (250, 402)])
  func agreesWithTheGeneralFilters(width: Int, height: Int) throws {
    var random = SeededGenerator(seed: 1)
    let pixels = (0..<3 * width * height).map { _ in UInt8.random(in: 0...255, using: &random) }
    let image = try RGBImage(width: width, height: height, pixels: pixels)
    let halved = image.halved()
    #expect(halved == image.resizedBilinearly(width: width / 2, height: height / 2))
    #expect(halved == image.resizedByArea(width: width / 2, height: height / 2))
  }

  @Test func keepsTheBrightest() throws {
    let white = RGBImage(width: 8, height: 4, fill: .white)
    #expect(white.halved() == RGBImage(width: 4, height: 2, fill: .white))
  }
}
