import Geometry
import Raster
import Testing

@Suite struct RGBImageTests {
  @Test(arguments: [
    (1, 2, 5), (0, 1, 0), (1, 0, 0), (-1, -1, 0), (Int.max, Int.max, 0), (1 << 20, 1 << 20, 0),
  ])
  func refusesOtherCountsAndImpossibleSizes(width: Int, height: Int, count: Int) {
    #expect(throws: ValueError.self) {
      try RGBImage(width: width, height: height, pixels: [UInt8](repeating: 1, count: count))
    }
  }
}
