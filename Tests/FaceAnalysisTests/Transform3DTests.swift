// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

/// Sines and cosines of right angles are not exact.
private func expect(
  _ found: SIMD3<Double>, _ expected: SIMD3<Double>,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for axis in 0..<3 {
    #expect(abs(found[axis] - expected[axis]) < 1e-12, sourceLocation: sourceLocation)
  }
}

private func areClose(_ a: [Double], _ b: [Double], tolerance: Double = 1e-9) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { isClose($0, $1, tolerance: tolerance) }
}

struct Transform3DTests {
  @Test func turnsAboutTheAxes() {
    let point = SIMD3(1.0, 2, 3)
    expect(Transform3D.rotation(degrees: 90, about: SIMD3(0, 0, 1))(point), SIMD3(-2, 1, 3))
    expect(Transform3D.rotation(degrees: 90, about: SIMD3(1, 0, 0))(point), SIMD3(1, -3, 2))
    expect(Transform3D.rotation(degrees: 90, about: SIMD3(0, 1, 0))(point), SIMD3(3, 2, -1))
    expect(Transform3D.rotation(degrees: 90, about: SIMD3(0, -7, 0))(point), SIMD3(-3, 2, 1))
    // A third of a turn about the diagonal: x becomes y, y becomes z, z becomes x.
    expect(Transform3D.rotation(degrees: 120, about: SIMD3(1, 1, 1))(point), SIMD3(3, 1, 2))
  }

  /// The squares of these overflow or underflow.
  @Test(arguments: [1e-200, Double.leastNonzeroMagnitude, 1e200, Double.greatestFiniteMagnitude])
  func theAxisMayHaveAnyLength(length: Double) {
    let axis = length * SIMD3(1, 1, 1)
    expect(Transform3D.rotation(degrees: 120, about: axis)(SIMD3(1, 2, 3)), SIMD3(3, 1, 2))
  }

  @Test(
    arguments: [SIMD3(0.0, 0, 0), SIMD3(.nan, 0, 1), SIMD3(.infinity, 0, 0)].map {
      Transform3D.rotation(degrees: 30, about: $0)
    } + [0, -5, .infinity, .nan].map { Transform3D.perspective(eyeDistance: $0) })
  func isTheIdentityWithoutAnAxisOrADistance(transform: Transform3D) {
    #expect(transform == .identity)
  }

  /// The numbers of a rotation by 30° about z, in Core Animation's order.
  @Test func listsTheNumbersRowByRow() {
    let transform = Transform3D.rotation(degrees: 30, about: SIMD3(0, 0, 1))
      .then(.perspective(eyeDistance: 500))
    let (c, s) = (cos(Double.pi / 6), sin(Double.pi / 6))
    let expected: [Double] = [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, -0.002, 0, 0, 0, 1]
    #expect(areClose(transform.elements, expected, tolerance: 1e-12))
  }

  /// A point halfway between the screen and the eye appears twice as far from the centre.
  @Test func enlargesWhatIsNearer() {
    let perspective = Transform3D.perspective(eyeDistance: 500)
    expect(perspective(SIMD3(10, 20, 250)), SIMD3(20, 40, 500))
    expect(perspective(SIMD3(10, 20, 0)), SIMD3(10, 20, 0))
    expect(perspective(SIMD3(10, 20, -500)), SIMD3(5, 10, -250))
  }

  @Test func appliesTheFirstFirst() {
    let quarterAboutZ = Transform3D.rotation(degrees: 90, about: SIMD3(0, 0, 1))
    let quarterAboutX = Transform3D.rotation(degrees: 90, about: SIMD3(1, 0, 0))
    // x becomes y, which becomes z.
    expect(quarterAboutZ.then(quarterAboutX)(SIMD3(1, 0, 0)), SIMD3(0, 0, 1))
    expect(quarterAboutX.then(quarterAboutZ)(SIMD3(1, 0, 0)), SIMD3(0, 1, 0))
  }
}

struct HeadPoseOverlayTests {
  private let pose = HeadPose(roll: 20, yaw: -30, pitch: 10)

  /// The head's points under the overlay's transform are where a camera of the same perspective
  /// sees the turned head.
  @Test(arguments: [Double.infinity, 6])
  func movesThePointsOfTheHead(distance: Double) {
    let head = SimulatedHead.canonical
    var generator = SeededGenerator(seed: 0)
    let seen = head.landmarks(
      pose, distance: distance, eyeDistance: 100, center: Point2D(x: 0, y: 0), using: &generator)
    let transform = pose.transform(eyeDistance: 100 * distance)
    for (point, expected) in zip(head.points, seen.points) {
      let moved = transform(100 * (point - SIMD3(0, 0.5, 0)))
      #expect(isClose(Point2D(x: moved.x, y: moved.y), expected, tolerance: 1e-9))
    }
  }

  /// As samples for AVFoundation's face metadata concatenate them, for one angle at a time, since
  /// they use another order of roll and yaw.
  @Test func isTheSamplesTransform() {
    let roll = HeadPose(roll: 33, yaw: 0, pitch: 0).transform(eyeDistance: 1000)
    let yaw = HeadPose(roll: 0, yaw: 33, pitch: 0).transform(eyeDistance: 1000, orientation: .right)
    let rolled = Transform3D.rotation(degrees: 33, about: SIMD3(0, 0, 1))
    let turned = Transform3D.rotation(degrees: 33, about: SIMD3(0, -1, 0))
      .then(.rotation(degrees: 90, about: SIMD3(0, 0, 1)))
    for (found, expected) in [(roll, rolled), (yaw, turned)] {
      let seen = expected.then(.perspective(eyeDistance: 1000))
      #expect(areClose(found.elements, seen.elements))
    }
    #expect(yaw.row1.w != 0, "the turned side is nearer")
  }

  /// The pose found in the upright picture gives the same transform.
  @Test(arguments: Orientation.allCases)
  func correctsTheOrientation(orientation: Orientation) throws {
    let space = try ViewSpace(imageSize: Size2D(width: 640, height: 480), orientation: orientation)
    let upright = try #require(HeadPose(space.map(SimulatedHead.fitted.landmarks(pose))))
    let transform = pose.transform(eyeDistance: 800, orientation: orientation)
    #expect(areClose(transform.elements, upright.transform(eyeDistance: 800).elements))
  }
}
