import Testing
import YOLOFace

struct AnnotationTests {
  private static func face(score: Float) -> Face {
    let point = Point(x: 60, y: 60)
    return Face(
      score: score, box: Rectangle(x: 20, y: 40, width: 80, height: 50),
      landmarks: Landmarks(
        rightEye: point, leftEye: point, nose: point, rightMouth: point, leftMouth: point))
  }

  private func drawn(_ draw: (inout RGBImage) -> Void) -> RGBImage {
    var image = RGBImage(width: 120, height: 100)
    draw(&image)
    return image
  }

  /// The label stands on the box's colour above the box, which begins at (20, 40): the text is 7
  /// high, with 1 above and below, from x = 21.
  @Test(
    arguments: [
      (0.957, "0.957"), (0, "0.000"), (0.0049, "0.005"), (0.9995, "1.000"), (1, "1.000"),
      (-3, "0.000"), (7, "1.000"), (.nan, "0.000"), (.infinity, "1.000"), (-.infinity, "0.000"),
      (3e38, "1.000"),
    ] as [(Float, String)])
  func writesTheScore(score: Float, text: String) {
    let image = drawn { $0.draw([Self.face(score: score)]) }
    let green = Color(red: 64, green: 224, blue: 96)
    let label = drawn {
      $0.fillRectangle(x: 20, y: 31, width: 31, height: 9, color: green)
      $0.drawText(text, x: 21, y: 32, color: .black)
    }
    for y in 31..<38 {
      for x in 20..<51 { #expect(image[x, y] == label[x, y], "\(x), \(y)") }
    }
  }
}
