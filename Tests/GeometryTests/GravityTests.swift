import Geometry
import Testing

@Suite struct GravityTests {
  /// A picture of 400 × 300 in a tall view: where its corners (0, 0) and (400, 300) go.
  @Test(arguments: [
    (Gravity.resize, Rectangle(x: 0, y: 0, width: 300, height: 600)),
    (.aspectFit, Rectangle(x: 0, y: 187.5, width: 300, height: 225)),
    (.aspectFill, Rectangle(x: -250, y: 0, width: 800, height: 600)),
  ])
  func tallView(gravity: Gravity, expected: Rectangle) throws {
    let view = Size(width: 300, height: 600)
    let picture = Rectangle(x: 0, y: 0, width: 400, height: 300)
    let space = try ViewSpace(
      imageSize: Size(width: 400, height: 300), placement: .view(view, gravity))
    #expect(space.map(picture) == expected)
    #expect(space.unmap(expected) == picture)
  }

  /// The same picture in a wide view of 800 × 300: bars left and right, or rows cut off.
  @Test(arguments: [
    (Gravity.resize, Rectangle(x: 0, y: 0, width: 800, height: 300)),
    (.aspectFit, Rectangle(x: 200, y: 0, width: 400, height: 300)),
    (.aspectFill, Rectangle(x: 0, y: -150, width: 800, height: 600)),
  ])
  func wideView(gravity: Gravity, expected: Rectangle) throws {
    let view = Size(width: 800, height: 300)
    let space = try ViewSpace(
      imageSize: Size(width: 400, height: 300), placement: .view(view, gravity))
    #expect(space.map(Rectangle(x: 0, y: 0, width: 400, height: 300)) == expected)
  }

  /// A stored picture of 300 × 400 that is turned by 90° fills the view as one of 400 × 300.
  @Test func theUprightSizeIsPlaced() throws {
    let space = try ViewSpace(
      imageSize: Size(width: 300, height: 400), orientation: .right,
      placement: .view(Size(width: 300, height: 600), .aspectFit))
    #expect(
      space.map(Rectangle(x: 0, y: 0, width: 300, height: 400))
        == Rectangle(x: 0, y: 187.5, width: 300, height: 225))
  }
}
