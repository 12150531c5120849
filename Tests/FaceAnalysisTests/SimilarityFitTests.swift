import FaceAnalysis
import FaceDecoding
import TestSupport
import Testing

struct SimilarityFitTests {
  /// Coordinates under 10⁴, where a Double resolves 10⁻¹², and a few dozen operations.
  private let rounding = 1e-9

  /// 2.5 · cos 30° = 2.165…, 2.5 · sin 30° = 1.25.
  @Test func recoversAKnownTransform() throws {
    let moved = Shapes.turned.moved(scale: 2.5, degrees: 30, x: 100, y: -40)
    let fit = try SimilarityFit(from: Shapes.turned, to: moved)
    #expect(isClose(fit.transform.xx, 2.1650635094610966, tolerance: rounding))
    #expect(isClose(fit.transform.yx, 1.25, tolerance: rounding))
    #expect(isClose(fit.transform.xy, -1.25, tolerance: rounding))
    #expect(isClose(fit.transform.yy, 2.1650635094610966, tolerance: rounding))
    #expect(isClose(fit.transform.x0, 100, tolerance: rounding))
    #expect(isClose(fit.transform.y0, -40, tolerance: rounding))
    #expect(isClose(fit.scale, 2.5, tolerance: rounding))
    #expect(fit.residual < rounding)
  }

  @Test func fittingCongruentShapesBackInverts() throws {
    let moved = Shapes.smile.moved(scale: 0.3, degrees: -140, x: 7, y: 2000)
    let back = try SimilarityFit(from: moved, to: Shapes.smile).transform
    let forth = try SimilarityFit(from: Shapes.smile, to: moved).transform
    #expect(isClose(moved.map { back($0) }, Shapes.smile, tolerance: rounding))
    #expect(isClose(moved.map { forth.inverse($0) }, Shapes.smile, tolerance: rounding))
  }

  /// The sum of squares is a quadratic function of the transform's four numbers, so it is at its
  /// minimum where no small step along any of them lowers it.
  @Test func nothingNearbyIsBetter() throws {
    var generator = SeededGenerator(seed: 4)
    func point() -> Point {
      Point(
        x: Double.random(in: -100...100, using: &generator),
        y: Double.random(in: -100...100, using: &generator))
    }
    for _ in 0..<50 {
      let (source, target) = (
        Shapes.neutral.map { _ in point() }, Shapes.smile.map { _ in point() }
      )
      let fit = try SimilarityFit(from: source, to: target)
      func meanSquare(_ t: AffineTransform) -> Double {
        zip(source.points, target.points).reduce(0) { sum, pair in
          let (x, y) = (t(pair.0).x - pair.1.x, t(pair.0).y - pair.1.y)
          return sum + (x * x + y * y) / 5
        }
      }
      let best = meanSquare(fit.transform)
      #expect(isClose(best.squareRoot(), fit.residual, tolerance: rounding))
      for step in [-1e-3, 1e-3] {
        var (stretched, turned, right, down) =
          (fit.transform, fit.transform, fit.transform, fit.transform)
        stretched.xx += step
        stretched.yy += step
        turned.xy -= step
        turned.yx += step
        right.x0 += step
        down.y0 += step
        for other in [stretched, turned, right, down] { #expect(meanSquare(other) > best) }
      }
    }
  }

  @Test func doesNotReflect() throws {
    let fit = try SimilarityFit(from: Shapes.turned, to: Shapes.turned.mirrored.swappingSides())
    #expect(fit.residual > 1)
    #expect(fit.transform.xx == fit.transform.yy)
    #expect(fit.transform.xy == -fit.transform.yx)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e200])
  func refusesNonFiniteNumbers(number: Double) {
    var broken = Shapes.neutral
    broken.nose.y = number
    #expect(throws: ValueError.self) {
      try SimilarityFit(from: broken, to: Shapes.neutral)
    }
    #expect(throws: ValueError.self) {
      try SimilarityFit(from: Shapes.neutral, to: broken)
    }
  }

  /// A tenth has no exact Double, so the centroid of five equal points may differ from them.
  @Test(arguments: [0, 0.1, 1.1, 1_234_567.1, 1e-200])
  func refusesFivePointsInOnePlace(coordinate: Double) {
    let point = Point(x: coordinate, y: coordinate)
    let heap = Shapes.neutral.map { _ in point }
    #expect(throws: ValueError.self) {
      try SimilarityFit(from: heap, to: Shapes.neutral)
    }
    #expect(throws: ValueError.self) {
      try SimilarityFit(from: Shapes.neutral, to: heap)
    }
  }

  @Test func refusesATransformThatOverflows() {
    let small = Shapes.neutral.moved(scale: 1e-158, degrees: 0, x: 0, y: 0)
    let large = Shapes.neutral.moved(scale: 1e151, degrees: 0, x: 0, y: 0)
    #expect(throws: Never.self) { try SimilarityFit(from: Shapes.neutral, to: large) }
    #expect(throws: ValueError.self) { try SimilarityFit(from: small, to: large) }
  }
}
