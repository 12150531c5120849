// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFace

/// The original model against upstream ncnn on photos.
@Suite(.enabled(if: SharedData.exists, SharedData.explanation))
struct GoldenDetectionTests {
  private static let detector = Result {
    try FaceDetector(
      param: SharedData.path("models/yolov5n-0.5.param"),
      bin: SharedData.path("models/yolov5n-0.5.bin"))
  }

  @Test(arguments: GoldenDetections.names)
  func fromTheLetterboxedPicture(name: String) throws {
    let golden = try GoldenDetections.read(name)
    let input = try Picture.read(
      path: SharedData.path("golden/yolov5n-0.5/detections/\(name).letterboxed.png"))
    let options = DetectionOptions { $0.scoreThreshold = golden.scoreThreshold }
    let candidates = try Self.detector.get().candidates(in: input, options: options)
    #expect(candidates.count == golden.candidates)
    let kept = nonMaximumSuppression(of: candidates, overlapThreshold: golden.iouThreshold).kept
    try #require(kept.count == golden.faces.count)

    for (index, expected) in zip(kept, golden.faces.map(\.face)) {
      let face = golden.letterbox.unmap(candidates[index])
      // Summation order moves the network's outputs by 1e-5, which the largest anchors scale up.
      #expect(abs(face.score - expected.score) < 1e-4)
      #expect(isClose(face.box, expected.box, tolerance: 0.05))
      #expect(isClose(face.landmarks!, expected.landmarks!, tolerance: 0.05))
    }
  }

  @Test(arguments: GoldenDetections.names)
  func fromThePhotoThroughOurOwnResize(name: String) throws {
    let golden = try GoldenDetections.read(name)
    let options = DetectionOptions {
      ($0.scoreThreshold, $0.overlapThreshold) = (0.3, golden.iouThreshold)
      $0.resizeFilter = .bilinear
    }
    let image = try Picture.read(path: SharedData.path("images/\(name).png"))
    let faces = try Self.detector.get().detect(in: image, options: options)
    let expected = golden.faces.map(\.face)
    for golden in expected where golden.score >= 0.5 {
      #expect(faces.contains { $0.box.intersectionOverUnion(with: golden.box) >= 0.95 })
    }
    for face in faces where face.score >= 0.55 {
      #expect(expected.contains { $0.box.intersectionOverUnion(with: face.box) >= 0.5 })
    }
  }
}
