import FaceDecoding
import FaceEvaluation
import TestSupport
import Testing

struct LandmarkErrorTests {
  /// Eyes 20 apart.
  private let truth = Landmarks((10, 10), (30, 10), (20, 20), (12, 30), (28, 30))
  private let box = rectangle(0, 0, 40, 40)

  private func found(_ change: (inout Landmarks) -> Void) -> Face {
    var landmarks = truth
    change(&landmarks)
    return Face(score: 0.9, box: box, landmarks: landmarks)
  }

  /// The nose is off by (3, 4), five pixels: a quarter of the eyes' distance; one eye by two
  /// pixels.
  @Test func byHand() throws {
    let face = found {
      $0.nose = Point(x: 23, y: 24)
      $0.leftEye.x += 2
    }
    let error = LandmarkError([
      ExaminedPicture(
        name: "a", faces: [GroundTruthFace(box: box, landmarks: truth)], detections: [face])
    ])
    #expect(error.points == [0, 0.1, 0.25, 0, 0])
    let mean = try #require(error.mean)
    #expect(isClose(mean, 0.07))
    #expect(error.faceCount == 1 && error.foundCount == 1)
  }

  @Test func countsOnlyFoundFacesWithLandmarks() {
    var oneEyed = truth
    oneEyed.leftEye = oneEyed.rightEye
    let far = rectangle(100, 0, 40, 40)
    let error = LandmarkError([
      ExaminedPicture(
        name: "a",
        faces: [
          GroundTruthFace(box: box, landmarks: truth), GroundTruthFace(box: far, landmarks: truth),
        ],
        detections: [found { _ in }]),
      ExaminedPicture(name: "b", faces: [GroundTruthFace(box: box)], detections: [found { _ in }]),
      ExaminedPicture(
        name: "c", faces: [GroundTruthFace(box: box, landmarks: oneEyed)],
        detections: [found { _ in }]),
      ExaminedPicture(
        name: "d", faces: [GroundTruthFace(box: box, landmarks: truth, standing: .ignored)],
        detections: [found { _ in }]),
    ])
    #expect(error.faceCount == 2 && error.foundCount == 1)
    #expect(error.mean == 0)
    #expect(LandmarkError([]).mean == nil)
  }
}
