import FaceAnalysis
import FaceDecoding
import TestSupport
import Testing

struct HeadPoseOverlayTests {
  private let pose = HeadPose(roll: 20, yaw: -30, pitch: 10)

  /// The head's points under the overlay's transform are where a camera of the same perspective
  /// sees the turned head.
  @Test(arguments: [Double.infinity, 6])
  func movesThePointsOfTheHead(distance: Double) {
    let head = SimulatedHead.canonical
    var generator = SeededGenerator(seed: 0)
    let seen = head.landmarks(
      pose, distance: distance, eyeDistance: 100, center: Point(x: 0, y: 0), using: &generator)
    let transform = pose.transform(eyeDistance: 100 * distance)
    for (point, expected) in zip(head.points, seen.points) {
      let moved = transform(100 * (point - SIMD3(0, 0.5, 0)))
      #expect(abs(moved.x - expected.x) < 1e-9)
      #expect(abs(moved.y - expected.y) < 1e-9)
    }
  }

  /// As samples for AVFoundation's face metadata concatenate them, for one angle at a time, since
  /// they use another order of roll and yaw.
  @Test func isTheSamplesTransform() {
    let roll = HeadPose(roll: 33, yaw: 0, pitch: 0).transform(eyeDistance: 1000)
    let yaw = HeadPose(roll: 0, yaw: 33, pitch: 0).transform(
      eyeDistance: 1000, orientation: .right)
    let perspective = Transform3D.perspective(eyeDistance: 1000)
    expectClose(
      roll, Transform3D.rotation(degrees: 33, about: SIMD3(0, 0, 1)).then(perspective))
    expectClose(
      yaw,
      Transform3D.rotation(degrees: 33, about: SIMD3(0, -1, 0))
        .then(.rotation(degrees: 90, about: SIMD3(0, 0, 1))).then(perspective))
    #expect(yaw.row1.w != 0, "the turned side is nearer")
  }

  /// The pose found in the upright picture gives the same transform.
  @Test(arguments: Orientation.allCases)
  func correctsTheOrientation(orientation: Orientation) throws {
    let space = try ViewSpace(imageSize: Size(width: 640, height: 480), orientation: orientation)
    let upright = try #require(HeadPose(space.map(SimulatedHead.fitted.landmarks(pose))))
    expectClose(
      pose.transform(eyeDistance: 800, orientation: orientation),
      upright.transform(eyeDistance: 800))
  }

  private func expectClose(
    _ found: Transform3D, _ expected: Transform3D,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (a, b) in zip(found.elements, expected.elements) {
      #expect(abs(a - b) < 1e-9, sourceLocation: sourceLocation)
    }
  }
}
