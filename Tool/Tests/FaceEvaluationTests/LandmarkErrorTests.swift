// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

struct LandmarkErrorTests {
  /// Eyes 20 apart.
  private let truth = Landmarks((10, 10), (30, 10), (20, 20), (12, 30), (28, 30))

  private func found(_ landmarks: Landmarks) -> Face {
    Face(score: 0.9, box: rectangle(0, 0, 40, 40), landmarks: landmarks)
  }

  /// The nose is off by (3, 4), five pixels: a quarter of the eyes' distance; one eye by two
  /// pixels.
  @Test func byHand() {
    let moved = Landmarks((10, 10), (32, 10), (23, 24), (12, 30), (28, 30))
    let error = LandmarkError([
      examined([trueFace(at: 0, side: 40, landmarks: truth)], [found(moved)])
    ])
    #expect(error.points == [0, 0.1, 0.25, 0, 0] && isClose(error.mean, 0.07))
    #expect(error.faceCount == 1 && error.foundCount == 1)
  }

  @Test func countsOnlyFoundFacesWithLandmarks() {
    var oneEyed = truth
    oneEyed.leftEye = oneEyed.rightEye
    let faces = [
      [(truth, 0), (truth, 100)].map { trueFace(at: $1, side: 40, landmarks: $0) },
      [trueFace(at: 0, side: 40)], [trueFace(at: 0, side: 40, landmarks: oneEyed)],
      [trueFace(at: 0, side: 40, .ignored, landmarks: truth)],
    ]
    var blind = found(truth)
    blind.landmarks = nil
    let error = LandmarkError(
      faces.map { examined($0, [found(truth)]) } + [examined(faces[0], [blind])])
    #expect(error.faceCount == 4 && error.foundCount == 1)
    #expect(error.mean == 0)
    #expect(LandmarkError([]).mean == nil)
  }
}
