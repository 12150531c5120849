import Geometry
import Testing

@testable import Raster

struct SamplingTests {
  /// Red values 10 20 30
  ///            40 50 60, green twice and blue three times as much.
  private let image = try! RGBImage(
    width: 3, height: 2, pixels: [10, 20, 30, 40, 50, 60].flatMap { [$0, 2 * $0, 3 * $0] })

  @Test func samplingAtCentersGivesThePixels() throws {
    #expect(try image.sampled(width: 3, height: 2) { $0 } == image)
  }

  @Test func aNewPictureHasItsOwnSizeAndMayTurn() throws {
    let turned = try image.sampled(width: 2, height: 3) { Point(x: $0.y, y: 2 - $0.x) }
    let reds = (0..<3).map { row in (0..<2).map { column in turned[column, row].red } }
    #expect(reds == [[40, 10], [50, 20], [60, 30]])
  }

  /// A quarter of the way from 10 to 20 is 12.5, and from 40 to 50 is 42.5; half way between them
  /// 27.5, which is rounded up. Green and blue: 55 and 82.5.
  @Test func interpolatesBetweenFourCenters() throws {
    let one = try image.sampled(width: 1, height: 1) { _ in Point(x: 0.75, y: 1) }
    #expect(one[0, 0] == Color(red: 28, green: 55, blue: 83))
  }

  @Test(arguments: [
    (0.0, 0.0, 10), (0.5, 0, 10), (3, 2, 60), (2.9, 1.2, 51), (1.5, 0, 20), (3, 0.5, 30),
  ])
  func theOuterHalfPixelRepeatsTheEdge(x: Double, y: Double, red: Int) throws {
    let one = try image.sampled(width: 1, height: 1) { _ in Point(x: x, y: y) }
    #expect(one[0, 0].red == red)
  }

  @Test(arguments: [
    (-0.01, 1.0), (3.01, 1), (1, -0.01), (1, 2.01), (Double.nan, 1), (1, .nan),
    (-.infinity, 1), (.infinity, 1), (1, 1e300),
  ])
  func outsideIsTheBackground(x: Double, y: Double) throws {
    let color = Color(red: 1, green: 2, blue: 3)
    let one = try image.sampled(width: 1, height: 1, background: color) { _ in Point(x: x, y: y) }
    #expect(one[0, 0] == color)
  }

  @Test(arguments: [(0, 1), (1, -1), (1 << 14, (1 << 14) + 1), (Int.max, 2)])
  func refusesImpossibleSizes(width: Int, height: Int) {
    #expect(throws: RasterError.impossibleSize(width: width, height: height)) {
      try image.sampled(width: width, height: height) { $0 }
    }
  }
}
