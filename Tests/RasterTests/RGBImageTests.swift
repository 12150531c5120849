// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry

@testable import YOLOFaceRaster

@Suite struct RGBImageTests {
  @Test func refusesPixelsOfAnotherCount() {
    #expect(throws: ValueError.self) {
      try RGBImage(width: 1, height: 2, pixels: [1, 2, 3, 4, 5])
    }
  }

  @Test(arguments: [
    (0, 1), (1, 0), (-1, 1), (1, -1), (-1, -1), (1 << 14, (1 << 14) + 1), (1 << 20, 1 << 20),
    (Int.max, 2), (.max, .max),
  ])
  func refusesImpossibleSizes(width: Int, height: Int) {
    let image = RGBImage(width: 2, height: 2)
    let makers: [() throws -> RGBImage] = [
      { try RGBImage(width: width, height: height, pixels: []) },
      { try image.resized(width: width, height: height) },
      { try image.cropped(x: 0, y: 0, width: width, height: height) },
      { try image.sampled(width: width, height: height) { $0 } },
    ]
    for make in makers { #expect(throws: ValueError.self) { try make() } }
  }
}
