import Raster
import TestSupport
import Testing

@Suite struct ResizeTests {
  static let image = try! RGBImage(
    width: 2, height: 2, pixels: [0, 0, 0, 100, 100, 100, 200, 200, 200, 44, 44, 44])

  @Test(arguments: ResizeFilter.allCases)
  func keepsThePictureAtItsOwnSize(filter: ResizeFilter) throws {
    #expect(try Self.image.resized(width: 2, height: 2, filter: filter) == Self.image)
  }

  @Test(arguments: ResizeFilter.allCases, [(1, 1), (7, 3), (1, 9), (64, 2)])
  func keepsAnEvenColour(filter: ResizeFilter, size: (width: Int, height: Int)) throws {
    let color = Color(red: 255, green: 1, blue: 114)
    let image = RGBImage(width: 13, height: 5, fill: color)
    let resized = try image.resized(width: size.width, height: size.height, filter: filter)
    #expect(resized == RGBImage(width: size.width, height: size.height, fill: color))
  }

  @Test func enlargesBilinearlyWithTheAreaFilter() throws {
    for (width, height) in [(3, 3), (1, 5), (5, 1)] {
      #expect(
        try Self.image.resized(width: width, height: height, filter: .area)
          == Self.image.resized(width: width, height: height, filter: .bilinear))
    }
  }

  /// 13 × 5 pixels: 7 × 3 is more than half of it, 6 × 2 less.
  @Test func averagesPixelsThatBilinearSkips() throws {
    var random = SeededGenerator(seed: 3)
    let pixels = (0..<3 * 13 * 5).map { _ in UInt8.random(in: 0...255, using: &random) }
    let image = try RGBImage(width: 13, height: 5, pixels: pixels)
    for (width, height, filter) in [
      (20, 9, ResizeFilter.bilinear), (7, 3, .bilinear), (6, 2, .area), (7, 2, .area),
    ] {
      #expect(
        try image.resized(width: width, height: height, filter: .automatic)
          == image.resized(width: width, height: height, filter: filter))
    }
    #expect(
      try image.resized(width: 6, height: 2, filter: .area)
        != image.resized(width: 6, height: 2, filter: .bilinear))
  }

  @Test(arguments: [(0, 1), (1, -1), (Int.max, 2), (1 << 15, 1 << 15)])
  func refusesAnImpossibleSize(width: Int, height: Int) {
    #expect(throws: RasterError.impossibleSize(width: width, height: height)) {
      try Self.image.resized(width: width, height: height)
    }
  }
}
