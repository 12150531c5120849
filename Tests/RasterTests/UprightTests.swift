// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry
import YOLOFaceRaster

@Suite struct UprightTests {
  /// Where row 0 and column 0 belong, by the table of Exif 2.32, 4.6.4 A, worked out on paper; the
  /// mirror then turns each row around.
  @Test(
    arguments: [
      (.up, [[1, 2, 3], [4, 5, 6]]),  // row 0 on top, column 0 on the left
      (.upMirrored, [[3, 2, 1], [6, 5, 4]]),  // top, right
      (.down, [[6, 5, 4], [3, 2, 1]]),  // bottom, right
      (.downMirrored, [[4, 5, 6], [1, 2, 3]]),  // bottom, left
      (.leftMirrored, [[1, 4], [2, 5], [3, 6]]),  // left, top
      (.right, [[4, 1], [5, 2], [6, 3]]),  // right, top
      (.rightMirrored, [[6, 3], [5, 2], [4, 1]]),  // right, bottom
      (.left, [[3, 6], [2, 5], [1, 4]]),  // left, bottom
    ] as [(Orientation, [[UInt8]])])
  func turnsAndMirrors(orientation: Orientation, expected: [[UInt8]]) throws {
    let stored = RGBImage(reds: [[1, 2, 3], [4, 5, 6]])
    let upright = RGBImage(reds: expected)
    #expect(stored.upright(from: orientation) == upright)
    let space = try ViewSpace(imageSize: stored.size, orientation: orientation)
    #expect(try stored.rendered(in: space) == upright)
    let mirror = try ViewSpace(
      imageSize: stored.size, orientation: orientation, isMirrored: true)
    #expect(try stored.rendered(in: mirror) == RGBImage(reds: expected.map { $0.reversed() }))
  }
}
