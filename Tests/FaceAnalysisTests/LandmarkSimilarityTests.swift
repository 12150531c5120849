// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding
import YOLOFaceGeometry

struct LandmarkSimilarityTests {
  @Test(arguments: Shapes.all)
  func aFaceResemblesItselfAnywhere(shape: Landmarks) throws {
    for (scale, degrees, x, y) in [
      (1.0, 0.0, 0.0, 0.0), (3.5, 0, 0, 0), (1, 25, 0, 0), (1, 180, 0, 0), (0.01, -130, 2, -3),
      (40, 91, 1000, 500),
    ] {
      let moved = shape.moved(scale: scale, degrees: degrees, x: x, y: y)
      let similarity = try LandmarkSimilarity(of: shape, and: moved)
      #expect(similarity.distance < 1e-12)
      // 2^(−10⁻¹¹) is 1 − 7 · 10⁻¹².
      #expect(similarity.score > 100 - 1e-9)
      #expect(isClose(similarity.overlay, moved, tolerance: 1e-9))
    }
  }

  @Test(arguments: Shapes.all)
  func theMirrorImageIsTheSameWithTheOption(shape: Landmarks) throws {
    let mirror = shape.mirrored.moved(scale: 1.5, degrees: -12, x: 300, y: 0)
    let with = try LandmarkSimilarity(of: shape, and: mirror, isMirrored: true)
    #expect(with.distance < 1e-12)
    #expect(with.isMirrored)
    #expect(isClose(with.overlay, mirror, tolerance: 1e-9))
    #expect(try LandmarkSimilarity(of: shape, and: mirror).distance > 0.08)
  }

  /// √(1 − s²) with s the sum of the singular values, the smaller negative where the determinant
  /// is, of the product of both centred shapes of size 1, by numpy 2.4's `numpy.linalg.svd`.
  @Test func agreesWithNumPy() throws {
    for (first, second, isMirrored, expected) in [
      (Shapes.neutral, Shapes.smile, false, 0.148716639929),
      (Shapes.neutral, Shapes.surprise, false, 0.194986025565),
      (Shapes.neutral, Shapes.turned, false, 0.158591869068),
      (Shapes.smile, Shapes.surprise, false, 0.332833513933),
      (Shapes.neutral, Shapes.neutral, true, 0.084485822188),
      (Shapes.neutral, Shapes.turned, true, 0.227503852133),
      (Shapes.turned, Shapes.turned, true, 0.322870833985),
    ] {
      let distance = try LandmarkSimilarity(of: first, and: second, isMirrored: isMirrored)
        .distance
      #expect(isClose(distance, expected, tolerance: 1e-11))
      let back = try LandmarkSimilarity(of: second, and: first, isMirrored: isMirrored).distance
      #expect(isClose(distance, back, tolerance: 1e-12))
    }
  }

  /// Four corners of the unit square about the origin and its middle, then the middle moved by 1 to
  /// the right: the centroid moves by 0.2 and the size from √2 to √2.8. The correlation of the
  /// shapes is √(2 / 2.8), for the middle of the first has no weight; 1 − 2 / 2.8 = 2 / 7.
  @Test func byHand() throws {
    let square = Landmarks((-0.5, -0.5), (0.5, -0.5), (0, 0), (-0.5, 0.5), (0.5, 0.5))
    let moved = Landmarks((-0.5, -0.5), (0.5, -0.5), (1, 0), (-0.5, 0.5), (0.5, 0.5))
    let similarity = try LandmarkSimilarity(of: square, and: moved)
    #expect(isClose(similarity.distance, (2.0 / 7).squareRoot(), tolerance: 1e-12))
    // It halves with each tenth: 100 · 2^−5.345224838.
    #expect(isClose(similarity.score, 2.459954023, tolerance: 1e-8))
    // The nose ends at the centroid, 0.8 from its target, and each corner 0.2 from its own.
    let (nose, corner) = (0.8 / 2.8.squareRoot(), 0.2 / 2.8.squareRoot())
    for (found, expected) in zip(similarity.residuals, [corner, corner, nose, corner, corner]) {
      #expect(isClose(found, expected, tolerance: 1e-12))
    }
    #expect(isClose(similarity.overlay.nose.x, 0.2, tolerance: 1e-12))
  }

  @Test(arguments: [Point2D(x: 3, y: 4), Point2D(x: .nan, y: 0)])
  func refusesDegenerateShapes(point: Point2D) {
    let heap = Shapes.neutral.map { _ in point }
    #expect(throws: ValueError.self) { try LandmarkSimilarity(of: Shapes.neutral, and: heap) }
    #expect(throws: ValueError.self) { try LandmarkSimilarity(of: heap, and: Shapes.neutral) }
  }

  @Test func theScoreHalvesWithEachTenth() throws {
    let square = Landmarks((-0.5, -0.5), (0.5, -0.5), (0, 0), (-0.5, 0.5), (0.5, 0.5))
    var last = 100.0
    for step in 0...20 {
      var moved = square
      moved.nose.x = Double(step) / 10
      let similarity = try LandmarkSimilarity(of: square, and: moved)
      #expect(step == 0 ? similarity.score > 100 - 1e-9 : similarity.score < last)
      last = similarity.score
      // By hand as above: the nose moved by n makes 1 − 2 / (2 + 0.8 n²).
      let n = moved.nose.x
      let distance = (1 - 2 / (2 + 0.8 * n * n)).squareRoot()
      var expected = 100.0
      for _ in 0..<Int(distance * 10) { expected /= 2 }
      #expect(similarity.score <= expected && similarity.score > expected / 2)
    }
  }

  /// A man who looks at the camera, one seen from the side, and an astronaut who smiles.
  @Test(.enabled(if: SharedData.exists, SharedData.explanation))
  func realFacesAreNearerToTheirMirrorThanToAnotherPose() throws {
    let zidane = try GoldenDetections.read("zidane").faces.compactMap(\.face.landmarks)
    let astronaut = try #require(GoldenDetections.read("astronaut").faces[0].face.landmarks)
    func score(_ a: Landmarks, _ b: Landmarks) throws -> Double {
      try LandmarkSimilarity(of: a, and: b).score
    }
    #expect(try score(astronaut, astronaut.moved(scale: 3, degrees: 40, x: 9, y: 9)) > 100 - 1e-9)
    for frontal in [zidane[0], astronaut] {
      let mirrored = try score(frontal, frontal.mirrored)
      #expect(mirrored < 90)
      #expect(try score(frontal, zidane[1]) < mirrored - 10)
    }
  }
}
