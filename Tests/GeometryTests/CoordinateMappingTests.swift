import Geometry
import Testing

@Suite struct CoordinateMappingTests {
  /// Half a turn and a shift.
  struct Turned: CoordinateMapping {
    var swapsSides: Bool { false }
    func map(_ point: Point) -> Point { Point(x: 100 - point.x, y: 60 - point.y) }
    func unmap(_ point: Point) -> Point { Point(x: 100 - point.x, y: 60 - point.y) }
  }

  @Test func rectanglesKeepPositiveSides() {
    let box = Rectangle(x: 10, y: 20, width: 30, height: 5)
    let expected = Rectangle(x: 60, y: 35, width: 30, height: 5)
    #expect(Turned().map(box) == expected)
    #expect(Turned().unmap(expected) == box)
  }
}
