import Testing
import YOLOFace

struct GuidanceAnnotationTests {
  private let gray = Color(red: 100, green: 100, blue: 100)

  private func drawn(width: Int = 400, isGood: Bool = true, tip: String = "") -> RGBImage {
    var image = RGBImage(width: width, height: 400, fill: gray)
    let circle = CircularMask(center: Point(x: 200, y: 150), radius: 100)
    image.drawGuidance(circle: circle, faces: [], isGood: isGood, tip: tip)
    return image
  }

  @Test func dimsTheOutsideOfTheCircle() {
    let image = drawn()
    #expect(image[200, 150] == gray)
    // Four tenths are left.
    #expect(image[10, 10] == Color(red: 40, green: 40, blue: 40))
    #expect(image[300, 150] == Color(red: 64, green: 224, blue: 96))
    #expect(drawn(isGood: false)[300, 150] == Color(red: 255, green: 150, blue: 30))
  }

  /// A letter is 6 × 7 squares with the space after it. 25 letters are 25 · 6 − 1 = 149 wide, and
  /// 298 at twice the size, which needs 8 on either side. The text ends 4 squares above the edge.
  @Test(arguments: [(400, 2), (314, 2), (313, 1), (200, 1)])
  func writesTheTipAsLargeAsFits(width: Int, scale: Int) throws {
    let image = drawn(width: width, tip: "Please move back a little")
    let white = (0..<400).flatMap { y in
      (0..<width).filter { image[$0, y] == .white }.map { (x: $0, y: y) }
    }
    let xs = white.map(\.x)
    let ys = white.map(\.y)
    #expect(try #require(xs.max()) - #require(xs.min()) + 1 == 149 * scale)
    #expect(ys.min() == 400 - 11 * scale)
    #expect(ys.max() == 400 - 4 * scale - 1)
  }
}
