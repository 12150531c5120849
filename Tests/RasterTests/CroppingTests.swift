import Raster
import Testing

struct CroppingTests {
  /// Red values 10 20 30
  ///            40 50 60.
  private let image = try! RGBImage(
    width: 3, height: 2, pixels: [10, 20, 30, 40, 50, 60].flatMap { [$0, 0, 0] })
  private let background = Color(red: 1, green: 2, blue: 3)

  private func reds(_ image: RGBImage) -> [[UInt8]] {
    (0..<image.height).map { row in (0..<image.width).map { image[$0, row].red } }
  }

  private func crop(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> [[UInt8]] {
    let part = try image.cropped(x: x, y: y, width: width, height: height, background: background)
    return reds(part)
  }

  @Test func cutsAPartOut() throws {
    #expect(try crop(1, 0, 2, 1) == [[20, 30]])
    #expect(try crop(2, 1, 1, 1) == [[60]])
    #expect(try image.cropped(x: 0, y: 0, width: 3, height: 2) == image)
  }

  @Test func fillsWhatReachesOver() throws {
    #expect(try crop(-1, -1, 3, 2) == [[1, 1, 1], [1, 10, 20]])
    #expect(try crop(2, 1, 2, 2) == [[60, 1], [1, 1]])
    #expect(
      try crop(-1, -1, 5, 4) == [
        [1, 1, 1, 1, 1], [1, 10, 20, 30, 1], [1, 40, 50, 60, 1], [1, 1, 1, 1, 1],
      ])
    let black = try image.cropped(x: 3, y: 0, width: 1, height: 1)
    #expect(black[0, 0] == .black)
  }

  @Test(arguments: [3, 100, -2, -100, Int.max, Int.min])
  func besideThePictureIsBackground(place: Int) throws {
    #expect(try crop(place, 0, 2, 1) == [[1, 1]])
    #expect(try crop(0, place, 1, 2) == [[1], [1]])
  }

  @Test(arguments: [(0, 1), (1, 0), (-1, 1), (1 << 15, 1 << 14), (Int.max, Int.max)])
  func refusesImpossibleSizes(width: Int, height: Int) {
    #expect(throws: RasterError.impossibleSize(width: width, height: height)) {
      try image.cropped(x: 0, y: 0, width: width, height: height)
    }
  }
}
