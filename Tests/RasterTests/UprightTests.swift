import Geometry
import Testing

@testable import Raster

@Suite struct UprightTests {
  /// A picture of 3 × 2 pixels, named by their red value:  1 2 3
  ///                                                       4 5 6
  static let stored = try! RGBImage(
    width: 3, height: 2, pixels: (1...6).flatMap { [UInt8($0), 0, 0] })

  /// Where row 0 and column 0 belong, by the table of Exif 2.32, 4.6.4 A, worked out on paper.
  @Test(arguments: [
    (Orientation.up, [[1, 2, 3], [4, 5, 6]]),  // row 0 on top, column 0 on the left
    (.upMirrored, [[3, 2, 1], [6, 5, 4]]),  // top, right
    (.down, [[6, 5, 4], [3, 2, 1]]),  // bottom, right
    (.downMirrored, [[4, 5, 6], [1, 2, 3]]),  // bottom, left
    (.leftMirrored, [[1, 4], [2, 5], [3, 6]]),  // left, top
    (.right, [[4, 1], [5, 2], [6, 3]]),  // right, top
    (.rightMirrored, [[6, 3], [5, 2], [4, 1]]),  // right, bottom
    (.left, [[3, 6], [2, 5], [1, 4]]),  // left, bottom
  ])
  func turnsUpright(orientation: Orientation, expected: [[Int]]) {
    let upright = Self.stored.upright(from: orientation)
    #expect(upright.width == expected[0].count)
    #expect(upright.height == expected.count)
    #expect(upright.pixels == expected.joined().flatMap { [UInt8($0), 0, 0] })
  }
}
