// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

struct SimilarityFitTests {
  /// Coordinates under 10⁴, where a Double resolves 10⁻¹², and a few dozen operations.
  private let rounding = 1e-9

  /// 2.5 · cos 30° = 2.165…, 2.5 · sin 30° = 1.25.
  @Test func recoversAKnownTransform() throws {
    let moved = Shapes.turned.moved(scale: 2.5, degrees: 30, x: 100, y: -40)
    let fit = try SimilarityFit(from: Shapes.turned, to: moved)
    let t = fit.transform
    for (found, expected) in [
      (t.xx, 2.1650635094610966), (t.yx, 1.25), (t.xy, -1.25), (t.yy, 2.1650635094610966),
      (t.x0, 100), (t.y0, -40), (fit.scale, 2.5),
    ] {
      #expect(isClose(found, expected, tolerance: rounding))
    }
    #expect(fit.residual < rounding)
  }

  @Test func doesNotReflect() throws {
    let fit = try SimilarityFit(from: Shapes.turned, to: Shapes.turned.mirrored.swappingSides())
    #expect(fit.residual > 1)
    #expect(fit.transform.xx == fit.transform.yy)
    #expect(fit.transform.xy == -fit.transform.yx)
  }

  /// Numbers that are not finite, and five points in one place. A tenth has no exact Double, so the
  /// centroid of equal points may differ from them.
  @Test(
    arguments: [Double.nan, .infinity, -.infinity, 1e200].map { number in
      var broken = Shapes.neutral
      broken.nose.y = number
      return broken
    }
      + [0, 0.1, 1.1, 1_234_567.1, 1e-200].map { number in
        Shapes.neutral.map { _ in Point2D(x: number, y: number) }
      })
  func refusesShapesWithoutASize(shape: Landmarks) {
    #expect(throws: ValueError.self) { try SimilarityFit(from: shape, to: Shapes.neutral) }
    #expect(throws: ValueError.self) { try SimilarityFit(from: Shapes.neutral, to: shape) }
  }

  @Test func refusesATransformThatOverflows() {
    let small = Shapes.neutral.moved(scale: 1e-158, degrees: 0, x: 0, y: 0)
    let large = Shapes.neutral.moved(scale: 1e151, degrees: 0, x: 0, y: 0)
    #expect(throws: Never.self) { try SimilarityFit(from: Shapes.neutral, to: large) }
    #expect(throws: ValueError.self) { try SimilarityFit(from: small, to: large) }
  }

  /// The sum of squares is a quadratic function of the transform's four numbers, so it is at its
  /// minimum where no small step along any of them lowers it.
  @Test func nothingNearbyIsBetter() throws {
    var generator = SeededGenerator(seed: 4)
    func point() -> Point2D {
      Point2D(
        x: Double.random(in: -100...100, using: &generator),
        y: Double.random(in: -100...100, using: &generator))
    }
    for _ in 0..<50 {
      let (source, target) = (
        Shapes.neutral.map { _ in point() }, Shapes.smile.map { _ in point() }
      )
      let fit = try SimilarityFit(from: source, to: target)
      func meanSquare(_ t: AffineMap) -> Double {
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
}
