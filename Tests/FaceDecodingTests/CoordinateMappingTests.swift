import FaceDecoding
import Testing

@Suite struct CoordinateMappingTests {
  /// Half a turn and a shift, with or without exchanging sides.
  struct Turned: CoordinateMapping {
    var swapsSides: Bool
    func map(_ point: Point) -> Point { Point(x: 100 - point.x, y: 60 - point.y) }
    func unmap(_ point: Point) -> Point { Point(x: 100 - point.x, y: 60 - point.y) }
  }

  let face = Face(
    score: 0.75, objectness: 0.875, box: Rectangle(x: 10, y: 20, width: 30, height: 5),
    landmarks: Landmarks(
      rightEye: Point(x: 1, y: 10), leftEye: Point(x: 2, y: 20), nose: Point(x: 3, y: 30),
      rightMouth: Point(x: 4, y: 40), leftMouth: Point(x: 5, y: 50)))

  @Test func rectanglesKeepPositiveSides() {
    let mapping = Turned(swapsSides: false)
    let expected = Rectangle(x: 60, y: 35, width: 30, height: 5)
    #expect(mapping.map(face.box) == expected)
    #expect(mapping.unmap(expected) == face.box)
  }

  @Test func landmarksExchangeSidesWhereTheMappingSaysSo() {
    #expect(
      Turned(swapsSides: false).map(face.landmarks).points.map(\.x) == [99, 98, 97, 96, 95])
    #expect(
      Turned(swapsSides: true).map(face.landmarks).points.map(\.x) == [98, 99, 97, 95, 96])
    #expect(
      Turned(swapsSides: true).unmap(face.landmarks).points.map(\.x) == [98, 99, 97, 95, 96])
  }

  @Test(arguments: [false, true])
  func facesKeepTheirScores(swapsSides: Bool) {
    let mapping = Turned(swapsSides: swapsSides)
    let mapped = mapping.map(face)
    #expect(mapped.score == 0.75 && mapped.objectness == 0.875)
    #expect(mapped.box == mapping.map(face.box))
    #expect(mapped.landmarks == mapping.map(face.landmarks))
    #expect(mapping.unmap(mapped) == face)
  }
}
