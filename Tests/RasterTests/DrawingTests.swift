// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry
import YOLOFaceRaster

@Suite struct DrawingTests {
  /// The red values of a black picture after it was drawn on.
  private func drawn(
    _ width: Int, _ height: Int, _ draw: (inout RGBImage) -> Void
  ) -> [[UInt8]] {
    var image = RGBImage(width: width, height: height)
    draw(&image)
    return image.reds
  }

  /// Shares: columns 0.5, 1, 0.5, 0; rows 0.25, 1, 0. Times 255, rounded.
  @Test func fillsByTheAreaCovered() {
    let reds = drawn(4, 3) {
      $0.fillRectangle(Box(x: 0.5, y: 0.75, width: 2, height: 1.25), color: .white)
    }
    #expect(reds == [[32, 64, 32, 0], [128, 255, 128, 0], [0, 0, 0, 0]])
  }

  @Test func mixesByOpacity() {
    var image = RGBImage(width: 1, height: 1, fill: RGBColor(red: 100, green: 100, blue: 100))
    image.fillRectangle(
      Box(x: 0, y: 0, width: 1, height: 1), color: RGBColor(red: 200, green: 0, blue: 100),
      opacity: 0.2)
    // An alpha of 51: (100 × 204 + 200 × 51 + 127) / 255 = 120, (100 × 204 + 127) / 255 = 80.
    #expect(image[0, 0] == RGBColor(red: 120, green: 80, blue: 100))
  }

  /// Between pixels: outside from 0.5 to 3.5, hole from 1.5 to 2.5. Corner pixels: 0.25; at its
  /// edges 0.5 × 1; pixel (1, 1): 1 − 0.25. The last line is too wide for a hole.
  @Test(
    arguments: [
      (
        Box(x: 0.5, y: 0.5, width: 4, height: 3),
        [
          [255, 255, 255, 255, 255], [255, 0, 0, 0, 255], [255, 0, 0, 0, 255],
          [255, 255, 255, 255, 255],
        ]
      ),
      (
        Box(x: 1, y: 1, width: 2, height: 2),
        [
          [64, 128, 128, 64, 0], [128, 191, 191, 128, 0], [128, 191, 191, 128, 0],
          [64, 128, 128, 64, 0],
        ]
      ),
      (
        Box(x: 1.5, y: 1.5, width: 1, height: 1),
        [[0, 0, 0, 0, 0], [0, 255, 255, 0, 0], [0, 255, 255, 0, 0], [0, 0, 0, 0, 0]]
      ),
    ] as [(Box, [[UInt8]])])
  func strokesAnOutline(rectangle: Box, expected: [[UInt8]]) {
    let reds = drawn(5, 5) { $0.strokeRectangle(rectangle, lineWidth: 1, color: .white) }
    #expect(reds == expected + [[0, 0, 0, 0, 0]])
  }

  @Test func drawsALineAlongPixels() {
    let across = drawn(6, 3) {
      $0.drawLine(
        from: Point2D(x: -5, y: 1.5), to: Point2D(x: 9, y: 1.5), lineWidth: 1, color: .white)
    }
    #expect(across == [[0, 0, 0, 0, 0, 0], [255, 255, 255, 255, 255, 255], [0, 0, 0, 0, 0, 0]])
    let down = drawn(3, 3) {
      $0.drawLine(from: Point2D(x: 1, y: -5), to: Point2D(x: 1, y: 9), lineWidth: 1, color: .white)
    }
    #expect(down == Array(repeating: [128, 128, 0], count: 3))
  }

  /// On the diagonal of y = x the distance of pixel centres is |column − row| / √2.
  @Test func drawsADiagonal() {
    let reds = drawn(9, 9) {
      $0.drawLine(
        from: Point2D(x: -9, y: -9), to: Point2D(x: 99, y: 99), lineWidth: 2, color: .white)
    }
    for (y, row) in reds.enumerated() {
      for (x, value) in row.enumerated() {
        let expected: UInt8 = [255, 202, 22, 0][min(abs(x - y), 3)]  // 1.5 − 0.7071, − 1.4142
        #expect(value == expected, "(\(x), \(y))")
      }
    }
  }

  /// Distances of centres: 2 on the axes, √2, 2√2 and √5 = 2.236 beside the axes.
  @Test func fillsADisc() {
    let reds = drawn(7, 7) {
      $0.fillDisc(center: Point2D(x: 3.5, y: 3.5), radius: 2, color: .white)
    }
    #expect(
      reds == [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 67, 128, 67, 0, 0],
        [0, 67, 255, 255, 255, 67, 0],
        [0, 128, 255, 255, 255, 128, 0],
        [0, 67, 255, 255, 255, 67, 0],
        [0, 0, 67, 128, 67, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
      ])
  }

  /// Distances of pixel centres: 2 at the ends of the axes, √5 = 2.236 beside them, 2√2 at the
  /// corners.
  @Test func fillsOutsideADisc() {
    var image = RGBImage(width: 5, height: 5)
    image.fillOutsideOfDisc(center: Point2D(x: 2.5, y: 2.5), radius: 2, color: .white)
    #expect(
      image.reds == [
        [255, 188, 128, 188, 255],
        [188, 0, 0, 0, 188],
        [128, 0, 0, 0, 128],
        [188, 0, 0, 0, 188],
        [255, 188, 128, 188, 255],
      ])
    image.fillOutsideOfDisc(center: Point2D(x: -9, y: -9), radius: 1, color: .black, opacity: 0.2)
    // An alpha of 51: 255 × 204 / 255.
    #expect(image[0, 0].red == 204)
  }

  /// From the line: 0 at the ends of the axes, 0.236 beside them, 0.586 and 0.828 at the diagonal,
  /// 1 within and without.
  @Test func strokesACircle() {
    let reds = drawn(7, 7) {
      $0.strokeCircle(center: Point2D(x: 3.5, y: 3.5), radius: 2, lineWidth: 1, color: .white)
    }
    #expect(
      reds == [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 44, 195, 255, 195, 44, 0],
        [0, 195, 106, 0, 106, 195, 0],
        [0, 255, 0, 0, 0, 255, 0],
        [0, 195, 106, 0, 106, 195, 0],
        [0, 44, 195, 255, 195, 44, 0],
        [0, 0, 0, 0, 0, 0, 0],
      ])
  }

  @Test func copiesTheVisiblePartOfAnImage() {
    let stamp = RGBImage(reds: [[1, 2], [3, 4]])
    for (x, y, expected) in [
      (0, 0, [[1, 2, 0], [3, 4, 0]]),
      (1, 0, [[0, 1, 2], [0, 3, 4]]),
      (2, 1, [[0, 0, 0], [0, 0, 1]]),
      (-1, -1, [[4, 0, 0], [0, 0, 0]]),
    ] as [(Int, Int, [[UInt8]])] {
      #expect(drawn(3, 2) { $0.draw(stamp, atX: x, y: y) } == expected, "at (\(x), \(y))")
    }
    for (x, y) in [(3, 0), (0, -2), (Int.min, Int.max), (.max, .min)] {
      #expect(drawn(3, 2) { $0.draw(stamp, atX: x, y: y) } == [[0, 0, 0], [0, 0, 0]])
    }
  }

  static let hostile: [Double] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e18, -1e9,
    .leastNonzeroMagnitude, -0.0, 2,
  ]

  /// No combination may trap or take forever; without clamping, `Int(_:)` would trap.
  @Test(.timeLimit(.minutes(60)), arguments: hostile, hostile)
  func survivesAnyCoordinates(a: Double, b: Double) {
    var image = RGBImage(width: 8, height: 8)
    for c in Self.hostile {
      for d in Self.hostile {
        image.fillRectangle(Box(x: a, y: b, width: c, height: d), color: .white, opacity: a)
        image.strokeRectangle(
          Box(x: a, y: b, width: c, height: d), lineWidth: c, color: .white)
        image.drawLine(
          from: Point2D(x: a, y: b), to: Point2D(x: c, y: d), lineWidth: a, color: .white)
        image.drawLine(
          from: Point2D(x: a, y: b), to: Point2D(x: c, y: d), lineWidth: 1, color: .white)
      }
      image.fillDisc(center: Point2D(x: a, y: b), radius: c, color: .white)
      image.strokeCircle(center: Point2D(x: a, y: b), radius: c, lineWidth: a, color: .white)
      image.strokeCircle(center: Point2D(x: 2, y: b), radius: c, lineWidth: a, color: .white)
      image.fillOutsideOfDisc(center: Point2D(x: a, y: b), radius: c, color: .white, opacity: b)
      image.drawText("a%", at: Point2D(x: a, y: b), scale: 3, color: .white)
    }
  }

  @Test func drawsNothingForNaNOrOutside() {
    var image = RGBImage(width: 4, height: 4)
    let black = image
    image.fillRectangle(Box(x: .nan, y: 0, width: 4, height: 4), color: .white)
    image.fillRectangle(Box(x: 0, y: 0, width: 4, height: 4), color: .white, opacity: .nan)
    image.fillRectangle(Box(x: 4, y: -9, width: 1e300, height: 1e300), color: .white)
    image.fillRectangle(Box(x: 3, y: 3, width: -2, height: -2), color: .white)
    image.strokeRectangle(Box(x: 1, y: 1, width: 2, height: 2), lineWidth: 0, color: .white)
    image.strokeRectangle(
      Box(x: -5, y: -5, width: 14, height: 14), lineWidth: 2, color: .white)
    image.drawLine(
      from: Point2D(x: 0, y: 0), to: Point2D(x: .nan, y: 4), lineWidth: 1, color: .white)
    image.drawLine(
      from: Point2D(x: 0, y: 0), to: Point2D(x: 4, y: 4), lineWidth: .nan, color: .white)
    for radius in [0, -1, Double.nan] {
      image.fillDisc(center: Point2D(x: 2, y: 2), radius: radius, color: .white)
      image.strokeCircle(center: Point2D(x: 2, y: 2), radius: radius, lineWidth: 1, color: .white)
      image.fillOutsideOfDisc(center: Point2D(x: 2, y: 2), radius: radius, color: .white)
    }
    image.strokeCircle(center: Point2D(x: .nan, y: 2), radius: 1, lineWidth: 1, color: .white)
    image.strokeCircle(center: Point2D(x: 2, y: 2), radius: 1, lineWidth: 0, color: .white)
    image.fillOutsideOfDisc(center: Point2D(x: 2, y: .nan), radius: 1, color: .white)
    image.fillDisc(center: Point2D(x: -1e9, y: 2), radius: 5, color: .white)
    #expect(image == black)
  }

  @Test func fillsEverythingFromFarAway() {
    var image = RGBImage(width: 4, height: 4)
    image.fillRectangle(
      Box(x: -.infinity, y: -1e300, width: .infinity, height: 2e300), color: .white)
    #expect(image == RGBImage(width: 4, height: 4), "-∞ + ∞ is not a number")
    image.fillRectangle(Box(x: -1e300, y: -1e300, width: 2e300, height: 2e300), color: .white)
    #expect(image == RGBImage(width: 4, height: 4, fill: .white))
  }
}
