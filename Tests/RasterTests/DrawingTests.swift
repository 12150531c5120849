import Geometry
import Raster
import Testing

@Suite struct DrawingTests {
  @Test func fillsByTheAreaCovered() {
    var image = RGBImage(width: 4, height: 3)
    image.fillRectangle(Rectangle(x: 0.5, y: 0.75, width: 2, height: 1.25), color: .white)
    // Shares: columns 0.5, 1, 0.5, 0; rows 0.25, 1, 0. Times 255, rounded.
    #expect(image.reds == [[32, 64, 32, 0], [128, 255, 128, 0], [0, 0, 0, 0]])
  }

  @Test func mixesByOpacity() {
    var image = RGBImage(width: 1, height: 1, fill: Color(red: 100, green: 100, blue: 100))
    image.fillRectangle(
      Rectangle(x: 0, y: 0, width: 1, height: 1), color: Color(red: 200, green: 0, blue: 100),
      opacity: 0.2)
    // An alpha of 51: (100 × 204 + 200 × 51 + 127) / 255 = 120, (100 × 204 + 127) / 255 = 80.
    #expect(image[0, 0] == Color(red: 120, green: 80, blue: 100))
  }

  @Test func strokesAnOutline() {
    var image = RGBImage(width: 5, height: 5)
    image.strokeRectangle(
      Rectangle(x: 0.5, y: 0.5, width: 4, height: 3), lineWidth: 1, color: .white)
    #expect(
      image.reds == [
        [255, 255, 255, 255, 255],
        [255, 0, 0, 0, 255],
        [255, 0, 0, 0, 255],
        [255, 255, 255, 255, 255],
        [0, 0, 0, 0, 0],
      ])
  }

  @Test func strokesAnOutlineBetweenPixels() {
    var image = RGBImage(width: 4, height: 4)
    image.strokeRectangle(Rectangle(x: 1, y: 1, width: 2, height: 2), lineWidth: 1, color: .white)
    // Outside from 0.5 to 3.5, hole from 1.5 to 2.5. Corner pixels: 0.25; at its edges
    // 0.5 × 1; pixel (1, 1): 1 − 0.25.
    #expect(
      image.reds == [
        [64, 128, 128, 64],
        [128, 191, 191, 128],
        [128, 191, 191, 128],
        [64, 128, 128, 64],
      ])
  }

  @Test func strokesWideLinesWithoutAHole() {
    var image = RGBImage(width: 4, height: 3)
    image.strokeRectangle(Rectangle(x: 1.5, y: 1, width: 1, height: 1), lineWidth: 1, color: .white)
    #expect(image.reds[1] == [0, 255, 255, 0])
  }

  @Test func drawsALineAlongPixels() {
    var image = RGBImage(width: 6, height: 3)
    image.drawLine(from: Point(x: -5, y: 1.5), to: Point(x: 9, y: 1.5), lineWidth: 1, color: .white)
    #expect(
      image.reds == [[0, 0, 0, 0, 0, 0], [255, 255, 255, 255, 255, 255], [0, 0, 0, 0, 0, 0]])

    image = RGBImage(width: 3, height: 3)
    image.drawLine(from: Point(x: 1, y: -5), to: Point(x: 1, y: 9), lineWidth: 1, color: .white)
    #expect(image.reds == Array(repeating: [128, 128, 0], count: 3))
  }

  /// On the diagonal of y = x the distance of pixel centres is |column − row| / √2.
  @Test func drawsADiagonal() {
    var image = RGBImage(width: 9, height: 9)
    image.drawLine(from: Point(x: -9, y: -9), to: Point(x: 99, y: 99), lineWidth: 2, color: .white)
    for (y, row) in image.reds.enumerated() {
      for (x, value) in row.enumerated() {
        let expected: UInt8 = [255, 202, 22, 0][min(abs(x - y), 3)]  // 1.5 − 0.7071, − 1.4142
        #expect(value == expected, "(\(x), \(y))")
      }
    }
  }

  @Test func fillsADisc() {
    var image = RGBImage(width: 7, height: 7)
    image.fillDisc(center: Point(x: 3.5, y: 3.5), radius: 2, color: .white)
    // Distances of centres: 2 on the axes, √2, 2√2 and √5 = 2.236 beside the axes.
    #expect(
      image.reds == [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 0, 67, 128, 67, 0, 0],
        [0, 67, 255, 255, 255, 67, 0],
        [0, 128, 255, 255, 255, 128, 0],
        [0, 67, 255, 255, 255, 67, 0],
        [0, 0, 67, 128, 67, 0, 0],
        [0, 0, 0, 0, 0, 0, 0],
      ])
  }

  @Test func copiesTheVisiblePartOfAnImage() {
    let stamp = try! RGBImage(width: 2, height: 2, pixels: [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4])
    for (x, y, expected) in [
      (0, 0, [[1, 2, 0], [3, 4, 0]]),
      (1, 0, [[0, 1, 2], [0, 3, 4]]),
      (2, 1, [[0, 0, 0], [0, 0, 1]]),
      (-1, -1, [[4, 0, 0], [0, 0, 0]]),
      (3, 0, [[0, 0, 0], [0, 0, 0]]),
      (0, -2, [[0, 0, 0], [0, 0, 0]]),
      (Int.min, Int.max, [[0, 0, 0], [0, 0, 0]]),
      (Int.max, Int.min, [[0, 0, 0], [0, 0, 0]]),
    ] as [(Int, Int, [[UInt8]])] {
      var image = RGBImage(width: 3, height: 2)
      image.draw(stamp, atX: x, y: y)
      #expect(image.reds == expected, "at (\(x), \(y))")
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
        image.fillRectangle(Rectangle(x: a, y: b, width: c, height: d), color: .white, opacity: a)
        image.strokeRectangle(
          Rectangle(x: a, y: b, width: c, height: d), lineWidth: c, color: .white)
        image.drawLine(from: Point(x: a, y: b), to: Point(x: c, y: d), lineWidth: a, color: .white)
        image.drawLine(from: Point(x: a, y: b), to: Point(x: c, y: d), lineWidth: 1, color: .white)
      }
      image.fillDisc(center: Point(x: a, y: b), radius: c, color: .white)
      image.drawText("a%", at: Point(x: a, y: b), scale: 3, color: .white)
    }
  }

  @Test func drawsNothingForNaNOrOutside() {
    var image = RGBImage(width: 4, height: 4)
    let black = image
    image.fillRectangle(Rectangle(x: .nan, y: 0, width: 4, height: 4), color: .white)
    image.fillRectangle(Rectangle(x: 0, y: 0, width: 4, height: 4), color: .white, opacity: .nan)
    image.fillRectangle(Rectangle(x: 4, y: -9, width: 1e300, height: 1e300), color: .white)
    image.fillRectangle(Rectangle(x: 3, y: 3, width: -2, height: -2), color: .white)
    image.strokeRectangle(Rectangle(x: 1, y: 1, width: 2, height: 2), lineWidth: 0, color: .white)
    image.strokeRectangle(
      Rectangle(x: -5, y: -5, width: 14, height: 14), lineWidth: 2, color: .white)
    image.drawLine(from: Point(x: 0, y: 0), to: Point(x: .nan, y: 4), lineWidth: 1, color: .white)
    image.drawLine(from: Point(x: 0, y: 0), to: Point(x: 4, y: 4), lineWidth: .nan, color: .white)
    image.fillDisc(center: Point(x: 2, y: 2), radius: -1, color: .white)
    image.fillDisc(center: Point(x: -1e9, y: 2), radius: 5, color: .white)
    #expect(image == black)
  }

  @Test func fillsEverythingFromFarAway() {
    var image = RGBImage(width: 4, height: 4)
    image.fillRectangle(
      Rectangle(x: -.infinity, y: -1e300, width: .infinity, height: 2e300), color: .white)
    #expect(image == RGBImage(width: 4, height: 4), "-∞ + ∞ is not a number")
    image.fillRectangle(Rectangle(x: -1e300, y: -1e300, width: 2e300, height: 2e300), color: .white)
    #expect(image == RGBImage(width: 4, height: 4, fill: .white))
  }
}

@Suite struct CircleDrawingTests {
  @Test func fillsOutsideADisc() {
    var image = RGBImage(width: 5, height: 5)
    image.fillOutsideOfDisc(center: Point(x: 2.5, y: 2.5), radius: 2, color: .white)
    // Distances of pixel centres: 2 at the ends of the axes, √5 = 2.236 beside them, 2√2 at the
    // corners.
    #expect(
      image.reds == [
        [255, 188, 128, 188, 255],
        [188, 0, 0, 0, 188],
        [128, 0, 0, 0, 128],
        [188, 0, 0, 0, 188],
        [255, 188, 128, 188, 255],
      ])
    image.fillOutsideOfDisc(center: Point(x: -9, y: -9), radius: 1, color: .black, opacity: 0.2)
    // An alpha of 51: 255 × 204 / 255.
    #expect(image[0, 0].red == 204)
  }

  @Test func strokesACircle() {
    var image = RGBImage(width: 7, height: 7)
    image.strokeCircle(center: Point(x: 3.5, y: 3.5), radius: 2, lineWidth: 1, color: .white)
    // From the line: 0 at the ends of the axes, 0.236 beside them, 0.586 and 0.828 at the diagonal,
    // 1 within and without.
    #expect(
      image.reds == [
        [0, 0, 0, 0, 0, 0, 0],
        [0, 44, 195, 255, 195, 44, 0],
        [0, 195, 106, 0, 106, 195, 0],
        [0, 255, 0, 0, 0, 255, 0],
        [0, 195, 106, 0, 106, 195, 0],
        [0, 44, 195, 255, 195, 44, 0],
        [0, 0, 0, 0, 0, 0, 0],
      ])
  }

  @Test(arguments: DrawingTests.hostile)
  func survivesAnyNumbers(a: Double) {
    var image = RGBImage(width: 4, height: 4)
    for b in DrawingTests.hostile {
      for c in DrawingTests.hostile {
        image.strokeCircle(center: Point(x: a, y: b), radius: c, lineWidth: a, color: .white)
        image.strokeCircle(center: Point(x: 2, y: b), radius: c, lineWidth: a, color: .white)
        image.fillOutsideOfDisc(center: Point(x: a, y: b), radius: c, color: .white, opacity: b)
      }
    }
  }

  @Test func drawsNothingForDegenerateCircles() {
    var image = RGBImage(width: 4, height: 4)
    let black = image
    for radius in [0, -1, Double.nan] {
      image.strokeCircle(center: Point(x: 2, y: 2), radius: radius, lineWidth: 1, color: .white)
      image.fillOutsideOfDisc(center: Point(x: 2, y: 2), radius: radius, color: .white)
    }
    image.strokeCircle(center: Point(x: .nan, y: 2), radius: 1, lineWidth: 1, color: .white)
    image.strokeCircle(center: Point(x: 2, y: 2), radius: 1, lineWidth: 0, color: .white)
    image.fillOutsideOfDisc(center: Point(x: 2, y: .nan), radius: 1, color: .white)
    #expect(image == black)
  }
}
