import Raster
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

  @Test(arguments: [(0, 1), (1, -1), (Int.max, 2), (1 << 15, 1 << 15)])
  func refusesAnImpossibleSize(width: Int, height: Int) {
    #expect(throws: RasterError.impossibleSize(width: width, height: height)) {
      try Self.image.resized(width: width, height: height)
    }
  }
}
