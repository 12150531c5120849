import TestSupport
import Testing
import YOLOFace

/// The detector with the default model against upstream ncnn and a separate decoder, on a picture of a
/// face; see `GoldenRun`.
struct DefaultModelGoldenFaceTests {
  private let golden: GoldenRun
  private let picture: RGBImage
  private var options = DetectionOptions()

  init() throws {
    golden = try GoldenRun.read()
    picture = try RGBImage(
      width: GoldenRun.side, height: GoldenRun.side, pixels: GoldenRun.pixels())
    options.letterbox = .longSide(GoldenRun.side)
    options.scoreThreshold = golden.scoreThreshold
    options.overlapThreshold = golden.iouThreshold
  }

  /// The candidates of all three heads.
  @Test(arguments: FaceDetector.instructionSets)
  func findsUpstreamsCandidates(instructionSet: String) throws {
    let detector = try FaceDetector(instructionSet: instructionSet)
    let found = try detector.candidates(in: picture, options: options)
    #expect(golden.candidates.count == 16)
    try expect(found.sorted { $0.score > $1.score }, golden.candidates.map(\.face))
  }

  @Test(arguments: FaceDetector.instructionSets)
  func findsUpstreamsFace(instructionSet: String) throws {
    let detector = try FaceDetector(instructionSet: instructionSet)
    let faces = try detector.detect(in: picture, options: options)
    let expected = golden.kept.map { golden.candidates[$0].face }
    #expect(expected.count == 1 && expected[0].score > 0.5)
    try expect(faces, expected)
  }

  private func expect(_ faces: [Face], _ expected: [Face]) throws {
    try #require(faces.count == expected.count)
    for (face, expected) in zip(faces, expected) {
      // Summation order moves the network's outputs by 1e-5, which the largest anchors scale up.
      #expect(abs(face.score - expected.score) < 1e-4)
      #expect(isClose(face.box, expected.box, tolerance: 0.01))
      let landmarks = try #require(face.landmarks)
      #expect(isClose(landmarks, try #require(expected.landmarks), tolerance: 0.01))
    }
  }
}
