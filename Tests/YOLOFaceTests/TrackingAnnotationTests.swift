import Testing
import YOLOFace

struct TrackingAnnotationTests {
  /// A picture of a tracked face, and the colour in the middle of its box's left edge.
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

  @Test func colorsFollowTheIDs() {
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

  @Test func followsTheStyle() {
    let face = Face(
      score: 0.9, box: Rectangle(x: 20, y: 40, width: 80, height: 50),
      landmarks: Landmarks(
        rightEye: Point(x: 40, y: 50), leftEye: Point(x: 80, y: 50), nose: Point(x: 60, y: 60),
        rightMouth: Point(x: 45, y: 75), leftMouth: Point(x: 75, y: 75)))
    var image = RGBImage(width: 120, height: 100)
    image.draw(
      tracked: [(1, face)],
      style: DrawingStyle(drawsLabels: false, drawsLandmarks: false, lineWidth: 6))
    var box = RGBImage(width: 120, height: 100)
    box.strokeRectangle(
      Rectangle(x: 20, y: 40, width: 80, height: 50), lineWidth: 6, color: drawn(1).color)
    #expect(image == box)
  }

  /// An ID of one digit is narrow: its height counts too. A label is 9 or 18 pixels high.
  @Test(arguments: [(16, 0), (20, 9), (34, 9), (40, 18)])
  func anIDIsHalfAsHighAsItsBoxAtMost(side: Int, height: Int) {
    let point = Point(x: 40, y: 40)
    let face = Face(
      score: 0.9,
      box: Rectangle(x: 30, y: 30, width: Double(side), height: Double(side)),
      landmarks: Landmarks(
        rightEye: point, leftEye: point, nose: point, rightMouth: point, leftMouth: point))
    var image = RGBImage(width: 120, height: 100)
    image.draw(tracked: [(1, face)])
    // Above the line, half a pixel to a pixel of which is outside the box.
    #expect((0..<29).count { image[31, $0] != .black } == max(0, height - 1))
  }
}
