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
        Shapes.neutral.map { _ in Point(x: number, y: number) }
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
}
