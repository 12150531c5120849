import Testing
import YOLOFace

struct TrackingAnnotationTests {
  /// A picture of a face that is followed, and the colour in the middle of its box's left edge.
  private func drawn(_ id: Int) -> (image: RGBImage, color: Color) {
    var image = RGBImage(width: 120, height: 100)
    let point = Point(x: 60, y: 60)
    let face = Face(
      score: 0.9, box: Rectangle(x: 20, y: 40, width: 80, height: 50),
      landmarks: Landmarks(
        rightEye: point, leftEye: point, nose: point, rightMouth: point, leftMouth: point))
    image.draw(tracked: [(id, face)])
    return (image, image[20, 65])
  }

  @Test func colorsGoWithTheIDs() {
    let colors = (1...8).map { drawn($0).color }
    for (index, color) in colors.enumerated() {
      #expect(color != .black)
      #expect(!colors[..<index].contains(color), "told apart from those before")
      let (image, again) = drawn(index + 9)
      #expect(again == color)
      #expect(image[60, 60] == color, "a landmark")
      #expect(image != drawn(index + 1).image, "another ID is written")
    }
  }

  @Test(arguments: [0, -1, -9, Int.min, Int.max])
  func drawsAnyID(id: Int) {
    #expect(drawn(id).color != .black)
  }
}
