// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry
import YOLOFaceRaster

struct CroppingTests {
  private let image = RGBImage(reds: [[10, 20, 30], [40, 50, 60]])
  private let background = RGBColor(red: 1, green: 2, blue: 3)

  private func crop(_ x: Int, _ y: Int, _ width: Int, _ height: Int) throws -> [[UInt8]] {
    try image.cropped(x: x, y: y, width: width, height: height, background: background).reds
  }

  @Test func cutsAPartOut() throws {
    #expect(try crop(1, 0, 2, 1) == [[20, 30]])
    #expect(try crop(2, 1, 1, 1) == [[60]])
    #expect(try image.cropped(x: 0, y: 0, width: 3, height: 2) == image)
  }

  @Test func fillsTheOutside() throws {
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
  func outsideThePictureIsBackground(place: Int) throws {
    #expect(try crop(place, 0, 2, 1) == [[1, 1]])
    #expect(try crop(0, place, 1, 2) == [[1], [1]])
  }

  @Test func cutsARectangleOut() throws {
    let part = try image.cropped(to: Box(x: 0.6, y: -0.4, width: 1.4, height: 2))
    #expect(part == (try image.cropped(x: 1, y: 0, width: 1, height: 2)))
  }

  @Test(arguments: [
    Box(x: 0, y: 0, width: 0, height: 5), Box(x: 0, y: 0, width: .nan, height: 5),
    Box(x: 0, y: 0, width: 1e300, height: 1e300),
    Box(x: -.infinity, y: 0, width: .infinity, height: 5),
  ])
  func refusesRectanglesWithoutPixels(rectangle: Box) {
    #expect(throws: ValueError.self) { try image.cropped(to: rectangle) }
  }

  @Test(arguments: [2e9, -2e9, 999_999_999, 1e14])
  func farAwayIsBackgroundOfTheSameSize(place: Double) throws {
    let part = try image.cropped(
      to: Box(x: place, y: -place, width: 5, height: 3), background: .white)
    #expect(part == RGBImage(width: 5, height: 3, fill: .white))
  }
}
