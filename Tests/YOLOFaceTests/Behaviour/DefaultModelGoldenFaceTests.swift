// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace

/// The detector with the default model against upstream ncnn and a separate decoder, on a picture of a
/// face; see `GoldenRun`.
struct DefaultModelGoldenFaceTests {
  /// The candidates of all three heads, and the face that they give.
  @Test(arguments: FaceDetector.instructionSets)
  func findsUpstreamsFace(instructionSet: String) throws {
    let golden = try GoldenRun.read()
    let picture = try RGBImage(
      width: GoldenRun.side, height: GoldenRun.side, pixels: GoldenRun.pixels())
    let options = DetectionOptions {
      $0.letterbox = .longSide(GoldenRun.side)
      $0.scoreThreshold = golden.scoreThreshold
      $0.overlapThreshold = golden.iouThreshold
    }
    let detector = try FaceDetector(instructionSet: instructionSet)
    let candidates = golden.candidates.map(\.face)
    let found = try detector.candidates(in: picture, options: options)
    #expect(candidates.count == 16)
    try expect(found.sorted { $0.score > $1.score }, candidates)
    let faces = golden.kept.map { candidates[$0] }
    #expect(faces.count == 1 && faces[0].score > 0.5)
    try expect(detector.detect(in: picture, options: options), faces)
  }

  private func expect(_ faces: [Face], _ expected: [Face]) throws {
    try #require(faces.count == expected.count)
    for (face, expected) in zip(faces, expected) {
      // Summation order moves the network's outputs by 1e-5, which the largest anchors scale up.
      #expect(abs(face.score - expected.score) < 1e-4)
      #expect(isClose(face.box, expected.box, tolerance: 0.01))
      #expect(isClose(face.landmarks!, expected.landmarks!, tolerance: 0.01))
    }
  }
}
