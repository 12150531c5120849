// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace

private let green = RGBColor(red: 64, green: 224, blue: 96)

/// A face whose landmarks are placed as in a portrait.
private func face(
  x: Double, y: Double, width: Double, height: Double, score: Float = 0.957
) -> Face {
  let points = [(0.3, 0.4), (0.7, 0.4), (0.5, 0.6), (0.35, 0.8), (0.65, 0.8)].map {
    Point2D(x: x + $0 * width, y: y + $1 * height)
  }
  return Face(
    score: score, box: Box(x: x, y: y, width: width, height: height),
    landmarks: Landmarks(points))
}

/// The tests draw on white, which no mark contains.
struct AnnotationTests {
  private func drawn(
    _ faces: [Face], style: DrawingStyle = DrawingStyle(), side: Int = 200
  ) -> RGBImage {
    var image = RGBImage(width: side, height: side, fill: .white)
    image.draw(faces, style: style)
    return image
  }

  /// The label is on the box's colour, above the box, which begins at (20, 40): the text is 7 high,
  /// with 1 above and below, from x = 21.
  @Test(
    arguments: [
      (0.957, "0.957"), (0, "0.000"), (0.0049, "0.005"), (0.9995, "1.000"), (1, "1.000"),
      (-3, "0.000"), (7, "1.000"), (.nan, "0.000"), (.infinity, "1.000"), (-.infinity, "0.000"),
      (3e38, "1.000"),
    ] as [(Float, String)])
  func writesTheScore(score: Float, text: String) throws {
    let image = drawn([face(x: 20, y: 40, width: 80, height: 50, score: score)])
    var label = RGBImage(width: 31, height: 7, fill: green)
    label.drawText(text, at: Point2D(x: 1, y: 1), color: .black)
    #expect(try image.cropped(x: 20, y: 31, width: 31, height: 7) == label)
  }

  /// How many pixels within a rectangle are not white.
  private func markedPixels(
    of image: RGBImage, _ columns: Range<Int>, _ rows: Range<Int>
  ) -> Int {
    rows.reduce(0) { sum, y in sum + columns.count { image[$0, y] != .white } }
  }

  /// They get only lines: dots or labels would hide them and their neighbours.
  @Test func theSmallestFacesAreNotHidden() {
    let corners = (0..<100).map { (x: 20 * ($0 % 10), y: 20 * ($0 / 10)) }
    let image = drawn(
      corners.map { face(x: Double($0.x + 3), y: Double($0.y + 2), width: 14, height: 16) })
    for (x, y) in corners {
      #expect(markedPixels(of: image, x + 4..<x + 16, y + 3..<y + 17) == 0, "inside")
      #expect(markedPixels(of: image, x..<x + 2, y..<y + 20) == 0, "beside")
    }
  }

  /// The dots of a larger face cover no larger share of it.
  @Test(arguments: [18, 24, 40, 96, 400])
  func dotsLeaveTheFaceVisible(side: Int) {
    let style = DrawingStyle(drawsLabels: false)
    let image = drawn(
      [face(x: 20, y: 20, width: Double(side), height: Double(side))], style: style, side: 450)
    let inside = 20 + side / 10..<20 + side - side / 10
    let covered = markedPixels(of: image, inside, inside)
    #expect(covered >= 5)
    #expect(covered <= side * side / 6)
  }

  /// The label of the lower one would cover the upper one's mouth, so it is below instead.
  @Test func labelsCoverNoNeighbor() throws {
    let upper = face(x: 50, y: 40, width: 40, height: 40)
    let lower = face(x: 52, y: 84, width: 40, height: 40)
    let both = drawn([upper, lower])
    let one = drawn([upper])
    let part = Box(x: 45, y: 30, width: 50, height: 51)
    #expect(try both.cropped(to: part) == one.cropped(to: part))
    #expect(markedPixels(of: both, 54..<81, 125..<133) == 27 * 8, "below")
    // Where another face is there as well, the label is left out.
    let third = face(x: 51, y: 128, width: 40, height: 40)
    let all = drawn([upper, lower, third])
    #expect(markedPixels(of: all, 45..<100, 125..<127) == 0)
    #expect(markedPixels(of: all, 54..<81, 86..<92) == 0)
    #expect(markedPixels(of: all, 54..<81, 130..<136) == 0)
  }

  /// A thousand labels are tried, and in a heap of faces only a few fit; further ones are left out.
  @Test func notAllOfManyFacesHaveLabels() {
    let heap = face(x: 20, y: 40, width: 60, height: 60)
    let last = face(x: 120, y: 40, width: 60, height: 60)
    let labeled = drawn(Array(repeating: heap, count: 999) + [last])
    #expect(markedPixels(of: labeled, 122..<147, 33..<38) > 0)
    let many = drawn(Array(repeating: heap, count: 1000) + [last])
    #expect(markedPixels(of: many, 122..<147, 33..<38) == 0)
  }

  @Test func aLabelThatFitsNeitherAboveNorBelowIsInside() {
    let image = drawn([face(x: 20, y: -5, width: 160, height: 210)])
    #expect(image[30, 1] == green)
    #expect(markedPixels(of: image, 22..<50, 0..<9) == 28 * 9)
  }

  @Test func boxesAreDrawnOverDotsAndLabels() {
    var beside = face(x: 50, y: 60, width: 80, height: 80)
    beside.landmarks?.nose = Point2D(x: 50, y: 100)
    let image = drawn([beside], style: DrawingStyle(lineWidth: 20))
    #expect(image[50, 100] == green)
    // The label touches the line, whose edge is at 50.
    #expect(markedPixels(of: image, 50..<75, 43..<49) > 25 * 4)
    for y in 50..<70 { #expect(image[80, y] == green) }
  }

  @Test func followsTheStyle() {
    let portrait = face(x: 40, y: 50, width: 96, height: 120)
    func marks(_ style: DrawingStyle) -> (label: Int, eye: RGBColor, line: Int) {
      let image = drawn([portrait], style: style)
      let (x, y) = (40 + 0.3 * 96, 50 + 0.4 * 120)
      return (
        markedPixels(of: image, 45..<70, 42..<47), image[Int(x), Int(y)],
        (20..<60).count { image[$0, 80] == green }
      )
    }
    let all = marks(DrawingStyle())
    #expect(all.label == 25 * 5 && all.eye == RGBColor(red: 230, green: 40, blue: 40))
    #expect(marks(DrawingStyle(drawsLabels: false)) == (0, all.eye, all.line))
    #expect(marks(DrawingStyle(drawsLandmarks: false)) == (all.label, .white, all.line))
    #expect(marks(DrawingStyle(lineWidth: 8)).line == 8)
    #expect(marks(DrawingStyle(lineWidth: 20)).line == 20)
  }

  @Test(
    arguments: [
      (.nan, 0.5), (-3, 0.5), (0, 0.5), (-.infinity, 0.5), (1e300, 100), (.infinity, 100),
    ] as [(Double, Double)])
  func anyLineWidthIsDrawn(given: Double, counted: Double) {
    let portrait = face(x: 40, y: 50, width: 96, height: 120)
    let pictures = [given, counted].map { drawn([portrait], style: DrawingStyle(lineWidth: $0)) }
    #expect(pictures[0] == pictures[1])
  }

  @Test(arguments: [.nan, -.infinity, .infinity, 1e300, -1e300] as [Double])
  func anyFaceIsDrawn(number: Double) {
    let portrait = face(x: 40, y: 50, width: 96, height: 120)
    for odd in [
      face(x: number, y: 1, width: 50, height: 50), face(x: 1, y: number, width: 50, height: 50),
      face(x: 1, y: 1, width: number, height: 50), face(x: 1, y: 1, width: 50, height: number),
      face(x: number, y: number, width: number, height: number),
    ] {
      _ = drawn([odd, portrait, odd])
    }
  }
}

struct TrackingAnnotationTests {
  private let box = Box(x: 20, y: 40, width: 80, height: 50)

  private func drawn(
    _ id: Int, box: Box, style: DrawingStyle = DrawingStyle()
  ) -> RGBImage {
    var image = RGBImage(width: 120, height: 100)
    let middle = Landmarks(Array(repeating: box.center, count: 5))
    image.draw(tracked: [(id, Face(score: 0.9, box: box, landmarks: middle))], style: style)
    return image
  }

  /// The colour in the middle of the box's left edge.
  private func color(_ id: Int) -> RGBColor { drawn(id, box: box)[20, 65] }

  @Test func colorsFollowTheIDs() {
    let colors = (1...8).map(color)
    for (index, color) in colors.enumerated() {
      #expect(!colors[..<index].contains(color), "told apart from those before")
      let image = drawn(index + 9, box: box)
      #expect(image[20, 65] == color)
      #expect(image[60, 65] == color, "a landmark")
      #expect(image != drawn(index + 1, box: box), "another ID is written")
    }
  }

  @Test(arguments: [1, 0, -1, -9, Int.min, Int.max])
  func drawsAnyID(id: Int) {
    #expect(color(id) != .black)
  }

  @Test func followsTheStyle() {
    let style = DrawingStyle(drawsLabels: false, drawsLandmarks: false, lineWidth: 6)
    var image = RGBImage(width: 120, height: 100)
    image.strokeRectangle(box, lineWidth: 6, color: color(1))
    #expect(drawn(1, box: box, style: style) == image)
  }

  /// An ID of one digit is narrow: its height counts too. A label is 9 or 18 pixels high.
  @Test(arguments: [(16.0, 0), (20, 9), (34, 9), (40, 18)])
  func anIDIsHalfAsHighAsItsBoxAtMost(side: Double, height: Int) {
    let image = drawn(1, box: Box(x: 30, y: 30, width: side, height: side))
    // Above the line, half a pixel to a pixel of which is outside the box.
    #expect((0..<29).count { image[31, $0] != .black } == max(0, height - 1))
  }
}

struct GuidanceAnnotationTests {
  private let gray = RGBColor(red: 100, green: 100, blue: 100)

  private func drawn(width: Int = 400, isGood: Bool = true, tip: String = "") -> RGBImage {
    var image = RGBImage(width: width, height: 400, fill: gray)
    let circle = CircularMask(center: Point2D(x: 200, y: 150), radius: 100)
    image.drawGuidance(circle: circle, faces: [], isGood: isGood, tip: tip)
    return image
  }

  @Test func dimsTheOutsideOfTheCircle() {
    let image = drawn()
    #expect(image[200, 150] == gray)
    // Four tenths are left.
    #expect(image[10, 10] == RGBColor(red: 40, green: 40, blue: 40))
    #expect(image[300, 150] == RGBColor(red: 64, green: 224, blue: 96))
    #expect(drawn(isGood: false)[300, 150] == RGBColor(red: 255, green: 150, blue: 30))
  }

  /// A letter is 6 × 7 squares with the space after it. 25 letters are 25 · 6 − 1 = 149 wide, and
  /// 298 at twice the size, which needs 8 on either side. The text ends 4 squares above the edge.
  @Test(arguments: [(400, 2), (314, 2), (313, 1), (200, 1)])
  func writesTheTipAsLargeAsFits(width: Int, scale: Int) throws {
    let image = drawn(width: width, tip: "Please move back a little")
    let columns = (0..<width).filter { x in (0..<400).contains { image[x, $0] == .white } }
    let rows = (0..<400).filter { y in (0..<width).contains { image[$0, y] == .white } }
    #expect(try #require(columns.last) - #require(columns.first) + 1 == 149 * scale)
    #expect(rows == Array(400 - 11 * scale..<400 - 4 * scale))
  }
}
