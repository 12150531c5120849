// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceGeometry

@Suite struct BoxTests {
  let box = Box(x: 10, y: 20, width: 30, height: 40)

  @Test func edgesAndCenter() {
    #expect([box.minX, box.minY, box.maxX, box.maxY] == [10, 20, 40, 60])
    #expect(box.center == Point2D(x: 25, y: 40) && box.area == 1200)
  }

  @Test func initialisersAgree() {
    #expect(Box(center: Point2D(x: 25, y: 40), size: Size2D(width: 30, height: 40)) == box)
    #expect(Box(corner: Point2D(x: 40, y: 20), opposite: Point2D(x: 10, y: 60)) == box)
  }

  @Test(
    arguments: [
      // Half of one square: 2 / (4 + 4 − 2).
      (Box(x: 1, y: 0, width: 2, height: 2), 1.0 / 3),
      // A quarter of one square: 1 / (4 + 4 − 1).
      (Box(x: 1, y: 1, width: 2, height: 2), 1.0 / 7),
      // Wholly inside: 1 / 4.
      (Box(x: 0.5, y: 0.5, width: 1, height: 1), 1.0 / 4),
      (Box(x: 0, y: 0, width: 2, height: 2), 1.0),
      // Touching along an edge, touching at a corner, and apart.
      (Box(x: 2, y: 0, width: 2, height: 2), 0.0),
      (Box(x: 2, y: 2, width: 2, height: 2), 0.0),
      (Box(x: 9, y: 9, width: 2, height: 2), 0.0),
    ] as [(Box, Double)])
  func intersectionOverUnion(other: Box, expected: Double) {
    let square = Box(x: 0, y: 0, width: 2, height: 2)
    #expect(isClose(square.intersectionOverUnion(with: other), expected, tolerance: 1e-15))
    #expect(isClose(other.intersectionOverUnion(with: square), expected, tolerance: 1e-15))
  }

  @Test func intersectionOverUnionWithItselfIsExactlyOne() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<1000 {
      let box = random.rectangle(in: 1000)
      #expect(box.intersectionOverUnion(with: box) == 1)
    }
  }

  @Test(arguments: Box.degenerate)
  func degenerateBoxesOverlapNothing(box: Box) {
    let square = Box(x: 0, y: 0, width: 4, height: 4)
    #expect(box.isDegenerate)
    #expect(!square.isDegenerate)
    #expect(box.intersectionOverUnion(with: square) == 0)
    #expect(square.intersectionOverUnion(with: box) == 0)
    #expect(box.intersectionOverUnion(with: box) == 0)
  }

  @Test func clipping() {
    let picture = Size2D(width: 100, height: 50)
    func clipped(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Box {
      Box(x: x, y: y, width: width, height: height).clipped(to: picture)
    }
    #expect(clipped(10, 10, 20, 20) == Box(x: 10, y: 10, width: 20, height: 20))
    #expect(clipped(-5, -5, 20, 20) == Box(x: 0, y: 0, width: 15, height: 15))
    #expect(clipped(90, 40, 20, 20) == Box(x: 90, y: 40, width: 10, height: 10))
    #expect(clipped(-5, -5, 200, 200) == Box(x: 0, y: 0, width: 100, height: 50))
    #expect(clipped(110, 10, 20, 20) == Box(x: 100, y: 10, width: 0, height: 20))
    #expect(clipped(-30, 10, 20, 20) == Box(x: 0, y: 10, width: 0, height: 20))
    #expect(clipped(.nan, 10, 20, 20).isDegenerate)
  }

  @Test func containsItsEdges() {
    let box = Box(x: 1, y: 2, width: 3, height: 4)
    #expect(box.contains(Point2D(x: 1, y: 2)) && box.contains(Point2D(x: 4, y: 6)))
    #expect(!box.contains(Point2D(x: 0.9, y: 3)) && !box.contains(Point2D(x: 2, y: 6.1)))
    #expect(!box.contains(Point2D(x: .nan, y: 3)))
  }
}
