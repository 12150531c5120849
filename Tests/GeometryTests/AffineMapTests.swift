// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import YOLOFaceGeometry

@Suite struct AffineMapTests {
  /// A shear, which no view space uses, so that each of the six numbers matters.
  let transform = AffineMap(xx: 2, xy: 1, x0: 5, yx: 3, yy: 4, y0: -7)

  @Test func mapsByItsSixNumbers() {
    #expect(transform(Point2D(x: 10, y: 100)) == Point2D(x: 125, y: 423))
  }

  @Test func thenAppliesTheSecondToTheFirstsResult() {
    let flip = Orientation.downMirrored.transform(of: Size2D(width: 1000, height: 500))
    let flipped = transform.then(flip).then(.scaling(x: 2, y: 3))
    #expect(flipped(Point2D(x: 10, y: 100)) == Point2D(x: 250, y: 231))
  }

  /// By hand: the determinant is 5, and (125, 423) maps back to (10, 100).
  @Test func inverse() {
    #expect(isClose(transform.inverse(Point2D(x: 125, y: 423)), Point2D(x: 10, y: 100)))
  }
}
