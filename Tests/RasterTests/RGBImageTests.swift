import Geometry
import Raster
import Testing

@Suite struct RGBImageTests {
  @Test func fillsWithAColour() {
    let image = RGBImage(width: 2, height: 1, fill: Color(red: 1, green: 2, blue: 3))
    #expect(image.pixels == [1, 2, 3, 1, 2, 3])
    #expect(RGBImage(width: 1, height: 1).pixels == [0, 0, 0])
  }

  @Test func takesPixelsOfTheRightCountOnly() throws {
    let image = try RGBImage(width: 1, height: 2, pixels: [1, 2, 3, 4, 5, 6])
    #expect(image[0, 1] == Color(red: 4, green: 5, blue: 6))
    #expect(throws: ValueError.self) {
      try RGBImage(width: 1, height: 2, pixels: [1, 2, 3, 4, 5])
    }
  }

  @Test(arguments: [(0, 1), (1, 0), (-1, -1), (Int.max, Int.max), (1 << 20, 1 << 20)])
  func refusesImpossibleSizes(width: Int, height: Int) {
    #expect(throws: ValueError.self) {
      try RGBImage(width: width, height: height, pixels: [])
    }
  }
}
