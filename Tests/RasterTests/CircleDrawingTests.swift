import Geometry
import Raster
import Testing

@Suite struct CircleDrawingTests {
  /// The red values, row by row.
  private func red(_ image: RGBImage) -> [[UInt8]] {
    (0..<image.height).map { y in (0..<image.width).map { x in image[x, y].red } }
  }

  @Test func fillsOutsideADisc() {
    var image = RGBImage(width: 5, height: 5)
    image.fillOutsideOfDisc(center: Point(x: 2.5, y: 2.5), radius: 2, color: .white)
    // Distances of pixel centres: 2 at the ends of the axes, √5 = 2.236 beside them, 2√2 at the
    // corners.
    #expect(
      red(image) == [
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
      red(image) == [
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
