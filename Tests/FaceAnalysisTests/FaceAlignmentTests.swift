// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

struct FaceAlignmentTests {
  /// The landmarks of Examples/astronaut.png to a tenth of a pixel.
  private let frontal = Landmarks(
    (202.3, 102.6), (245.5, 102.8), (222.1, 127.8), (207.0, 147.7), (241.0, 147.5))
  /// Those of a face that looks to the side.
  private let profile = Landmarks(
    (608.0, 326.4), (642.1, 324.3), (644.1, 352.7), (611.6, 377.6), (638.2, 376.4))

  /// The template's digits come from InsightFace; repeating them here reveals a typing error.
  @Test func theTemplateIsTheKnownOne() {
    let known = Landmarks(
      (38.2946, 51.6963), (73.5318, 51.5014), (56.0252, 71.7366), (41.5493, 92.3655),
      (70.7299, 92.2041))
    #expect(FaceAlignment.template == known)
  }

  /// Computed with numpy 2.4, by Umeyama's singular value decomposition (`numpy.linalg.svd`) and by
  /// least squares (`numpy.linalg.lstsq`), which agree to 10⁻¹¹; OpenCV 5.0's
  /// `estimateAffinePartial2D` agrees to 10⁻⁴, where its iteration ends.
  @Test func agreesWithNumPy() throws {
    for (face, xx, yx, x0, y0, residual) in [
      (
        frontal, 0.872167293446, -0.003775888012, -139.447557074005, -36.868992398437,
        1.5874695709923423
      ),
      (
        profile, 0.792324221963, 0.007205246328, -439.654810790887, -211.115996426557,
        7.117668368623961
      ),
    ] {
      let fit = try FaceAlignment(face).fit
      #expect(isClose(fit.transform.xx, xx, tolerance: 1e-10))
      #expect(isClose(fit.transform.yx, yx, tolerance: 1e-10))
      #expect(isClose(fit.transform.x0, x0, tolerance: 1e-9))
      #expect(isClose(fit.transform.y0, y0, tolerance: 1e-9))
      #expect(isClose(fit.residual, residual, tolerance: 1e-9))
    }
  }

  @Test(arguments: [1, 56, 224, 8192])
  func theTemplateScales(side: Int) throws {
    let (small, scaled) = (try FaceAlignment(frontal), try FaceAlignment(frontal, side: side))
    let factor = Double(side) / 112
    for point in frontal.points {
      let (a, b) = (small.fit.transform(point), scaled.fit.transform(point))
      #expect(isClose(Point2D(x: factor * a.x, y: factor * a.y), b, tolerance: 1e-8))
    }
    #expect(isClose(factor * small.fit.residual, scaled.fit.residual, tolerance: 1e-8))
  }

  @Test(arguments: [Int.min, -1, 0, 8193, Int.max])
  func refusesSides(side: Int) {
    let error = ValueError("found a side of \(side) pixels, expected one from 1 to 8192")
    #expect(throws: error) { try FaceAlignment(frontal, side: side) }
  }

  @Test func refusesLandmarksWithoutAPosition() {
    for (face, message) in [
      (
        frontal.map { _ in Point2D(x: 5, y: 5) },
        "found five landmarks in one place, expected them apart"
      ),
      (
        frontal.map { Point2D(x: $0.x, y: .nan) },
        "found landmarks that are not finite, expected coordinates in pixels"
      ),
    ] {
      #expect(throws: ValueError(message)) { try FaceAlignment(face) }
    }
  }

  /// With w the template as complex numbers, z₁ … z₃ the conjugates of w₃ − w₂, w₁ − w₃, w₂ − w₁
  /// and z₄ = z₅ = 0, both Σ z and Σ z̄ · w are 0: the points turn about their centroid without
  /// coming nearer to the template.
  @Test func refusesLandmarksWithoutADirection() throws {
    let w = FaceAlignment.template.points
    func conjugate(_ a: Int, _ b: Int) -> Point2D {
      Point2D(x: w[a].x - w[b].x, y: -(w[a].y - w[b].y))
    }
    let zero = Point2D(x: 0, y: 0)
    let whirl = Landmarks([conjugate(2, 1), conjugate(0, 2), conjugate(1, 0), zero, zero])
    let error = #expect(throws: ValueError.self) { try FaceAlignment(whirl) }
    #expect(error?.description.hasPrefix("found landmarks that no rotation brings nearer") == true)
    // As shapes they can be compared, and have nothing in common.
    let similarity = try LandmarkSimilarity(of: whirl, and: FaceAlignment.template)
    #expect(isClose(similarity.distance, 1, tolerance: 1e-12))
  }
}
