// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

struct CircularMaskTests {
  /// 1000 × 500 covers 250 × 250 at a scale of 0.5, from x = −125. Stretched, it has 0.25 of its
  /// width and 0.5 of its height: a circle of 50 is an ellipse of 200 × 100, which holds one of 100.
  @Test(arguments: [Gravity.aspectFill, .resize])
  func isTheLargestCircleInWhatTheViewShows(gravity: Gravity) throws {
    let view = try ViewSpace(
      imageSize: Size2D(width: 1000, height: 500),
      placement: .view(Size2D(width: 250, height: 250), gravity))
    let seen = CircularMask(center: Point2D(x: 125, y: 100), radius: 50)
    #expect(seen.unmapped(by: view) == CircularMask(center: Point2D(x: 500, y: 200), radius: 100))
  }

  @Test(arguments: [0, -50, -.infinity, .infinity, .nan] as [Double])
  func degenerateCirclesStayDegenerate(radius: Double) throws {
    let view = try ViewSpace(imageSize: Size2D(width: 1000, height: 500), isMirrored: true)
    let none = CircularMask(center: Point2D(x: 125, y: 100), radius: radius)
    let stored = none.unmapped(by: view)
    #expect(!(stored.radius > 0 && stored.radius.isFinite))
  }
}
