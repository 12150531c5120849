import Geometry
import TestSupport
import Testing

@Suite struct CoordinateSystemTests {
  /// The box of `ViewSpace`'s examples: 200 × 100 at (100, 50) in an image of 1000 × 500.
  @Test(arguments: [
    (CoordinateSystem.pixels, Rectangle(x: 100, y: 50, width: 200, height: 100)),
    (.pixelsFromBottomLeft, Rectangle(x: 100, y: 350, width: 200, height: 100)),
    (.normalized, Rectangle(x: 0.1, y: 0.1, width: 0.2, height: 0.2)),
    (.normalizedFromBottomLeft, Rectangle(x: 0.1, y: 0.7, width: 0.2, height: 0.2)),
  ])
  func box(system: CoordinateSystem, expected: Rectangle) throws {
    let space = try ViewSpace(
      imageSize: Size(width: 1000, height: 500), coordinateSystem: system)
    let box = Rectangle(x: 100, y: 50, width: 200, height: 100)
    #expect(isClose(space.map(box), expected, tolerance: 1e-12))
    #expect(isClose(space.unmap(expected), box, tolerance: 1e-9))
    #expect(!space.swapsSides)
  }

  /// Fractions are of the view, not of the picture in it.
  @Test func fractionsAreOfTheView() throws {
    let space = try ViewSpace(
      imageSize: Size(width: 400, height: 300),
      placement: .view(Size(width: 300, height: 600), .aspectFit), coordinateSystem: .normalized)
    // 187.5 / 600 and 412.5 / 600.
    #expect(space.map(Point(x: 0, y: 0)) == Point(x: 0, y: 0.3125))
    #expect(isClose(space.map(Point(x: 400, y: 300)), Point(x: 1, y: 0.6875), tolerance: 1e-12))
  }
}
