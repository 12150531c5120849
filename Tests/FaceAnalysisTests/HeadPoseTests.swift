// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceDecoding

@testable import YOLOFaceAnalysis

struct HeadPoseTests {
  /// Every combination of seven angles from −35° to 35°.
  private static let grid: [HeadPose] = {
    let angles = Array(stride(from: -35.0, through: 35, by: 35 / 3))
    return angles.flatMap { roll in
      angles.flatMap { yaw in angles.map { HeadPose(roll: roll, yaw: yaw, pitch: $0) } }
    }
  }()

  @Test func recoversTheFittedHeadExactly() {
    for pose in Self.grid {
      #expect(HeadPose(SimulatedHead.fitted.landmarks(pose))?.isClose(to: pose) == true)
    }
  }

  /// The search for these goes beyond 90° and reaches the same view by other angles: 180° − yaw,
  /// pitch ± 180° and roll ± 180°.
  @Test(arguments: [-75.0, -65, 65, 75], [-58.0, -45, 45, 58])
  func recoversStrongAngles(yaw: Double, pitch: Double) {
    for roll in [-170.0, 0, 40, 170] {
      let pose = HeadPose(roll: roll, yaw: yaw, pitch: pitch)
      #expect(HeadPose(SimulatedHead.fitted.landmarks(pose))?.isClose(to: pose) == true)
    }
  }

  /// At ten times the distance between the eyes, some 60 cm, a camera sees perspective. Of normally
  /// distributed errors of landmarks, which have no bound, the worst tenth is left out.
  @Test(
    arguments: [SimulatedHead.fitted, .long, .broad],
    [(.infinity, 0), (10, 0), (.infinity, 0.01), (10, 0.01)] as [(Double, Double)])
  func recoversHeads(head: SimulatedHead, view: (distance: Double, noise: Double)) throws {
    let (roll, yaw, pitch) = try Self.errors(of: head, distance: view.distance, noise: view.noise)
    for (errors, most) in [(roll, 2.0), (yaw, 5), (pitch, 5)] {
      #expect(errors[view.noise > 0 ? errors.count * 9 / 10 : errors.count - 1] < most)
    }
    #expect(max(yaw[yaw.count - 1], pitch[pitch.count - 1]) < 10)
  }

  /// A head of a quite different shape: the roll is right, the other angles roughly.
  @Test func recoversADifferentHeadRoughly() throws {
    let (roll, yaw, pitch) = try Self.errors(of: .canonical)
    #expect(try #require(roll.last) < 2)
    #expect(try max(#require(yaw.last), #require(pitch.last)) < 11)
  }

  /// The errors of each angle over the grid, in ascending order.
  private static func errors(
    of head: SimulatedHead, distance: Double = .infinity, noise: Double = 0
  ) throws -> (roll: [Double], yaw: [Double], pitch: [Double]) {
    var generator = SeededGenerator(seed: 7)
    let errors = try grid.map { pose in
      let landmarks = head.landmarks(pose, distance: distance, noise: noise, using: &generator)
      return try #require(HeadPose(landmarks)).errors(from: pose)
    }
    return (
      errors.map(\.roll).sorted(), errors.map(\.yaw).sorted(), errors.map(\.pitch).sorted()
    )
  }

  /// Eyes level, mouth below, everything symmetrical; then the nose moves by a tenth of the
  /// distance between the eyes.
  @Test func hasTheDocumentedSigns() throws {
    func pose(noseX: Double, noseY: Double) throws -> HeadPose {
      try #require(
        HeadPose(Landmarks((100, 100), (200, 100), (noseX, noseY), (108, 199), (192, 199))))
    }
    let level = try pose(noseX: 150, noseY: 155)
    #expect(abs(level.roll) < 1e-6 && abs(level.yaw) < 1e-6 && abs(level.pitch) < 1)
    #expect(try pose(noseX: 140, noseY: 155).yaw > 5, "towards the picture's left")
    #expect(try pose(noseX: 160, noseY: 155).yaw < -5, "towards the picture's right")
    #expect(try pose(noseX: 150, noseY: 145).pitch > 5, "up")
    #expect(try pose(noseX: 150, noseY: 165).pitch < -5, "down")
  }

  /// A picture turned clockwise, shifted and enlarged: (x, y) becomes (−y, x) for a quarter turn.
  @Test(arguments: [(90.0, 30.0, 120.0), (180, 30, -150), (270, 30, -60), (180, 0, 180)])
  func followsATurnedPicture(turn: Double, roll: Double, expected: Double) throws {
    let pose = HeadPose(roll: roll, yaw: 20, pitch: -10)
    let turned = SimulatedHead.long.landmarks(pose).map { point in
      let (x, y) =
        switch turn {
        case 90: (-point.y, point.x)
        case 180: (-point.x, -point.y)
        default: (point.y, -point.x)
        }
      return Point2D(x: 3 * x + 1000, y: 3 * y - 500)
    }
    let before = try #require(HeadPose(SimulatedHead.long.landmarks(pose)))
    let after = try #require(HeadPose(turned))
    #expect(
      after.isClose(to: HeadPose(roll: before.roll + turn, yaw: before.yaw, pitch: before.pitch)))
    #expect(abs((after.roll - expected).remainder(dividingBy: 360)) < 2)
    #expect(after.roll > -180 && after.roll <= 180)
  }

  @Test(arguments: [
    (0.0, 0.0), (180, 180), (-180, 180), (181, -179), (-181, 179), (540, 180), (720, 0),
    (-90, -90),
  ])
  func normalizesRoll(roll: Double, expected: Double) {
    #expect(HeadPose(roll: roll, yaw: 0, pitch: 0).roll == expected)
  }

  /// The pose that a detector finds in the upright picture, against the stored picture's pose,
  /// turned.
  @Test(arguments: Orientation.allCases, [false, true])
  func turnsWithTheOrientation(orientation: Orientation, isMirrored: Bool) throws {
    let space = try ViewSpace(
      imageSize: Size2D(width: 640, height: 480), orientation: orientation, isMirrored: isMirrored)
    let stored = SimulatedHead.broad.landmarks(HeadPose(roll: 25, yaw: -15, pitch: 10))
    let found = try #require(HeadPose(space.map(stored)))
    #expect(found.isClose(to: try #require(HeadPose(stored)).seen(in: space)))
  }

  private static let frontal = SimulatedHead.fitted.landmarks(
    HeadPose(roll: 0, yaw: 0, pitch: 0), eyeDistance: 60)

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
  func nonFinitePointsHaveNoPose(number: Double) {
    for index in 0..<5 {
      var points = Self.frontal.points
      points[index].x = number
      #expect(HeadPose(Landmarks(points)) == nil)
    }
  }

  @Test func degeneratePointsHaveNoPose() {
    #expect(HeadPose(Self.frontal.map { _ in Point2D(x: 5, y: 5) }) == nil, "coincident")
    #expect(HeadPose(Self.frontal.map { Point2D(x: $0.x, y: 2 * $0.x) }) == nil, "on a line")
    #expect(HeadPose(Self.frontal.map { Point2D(x: 7, y: $0.y) }) == nil, "on an upright line")
    let (eye, mouth) = (Self.frontal.rightEye, Self.frontal.rightMouth)
    #expect(HeadPose(Landmarks([eye, eye, eye, mouth, mouth])) == nil, "two places")
  }

  @Test func smallFacesHaveNoPose() {
    let pose = HeadPose(roll: 10, yaw: 20, pitch: 10)
    #expect(HeadPose(SimulatedHead.fitted.landmarks(pose, eyeDistance: 8.01)) != nil)
    #expect(HeadPose(SimulatedHead.fitted.landmarks(pose, eyeDistance: 7.99)) == nil)
  }

  /// Sides that are not exchanged where the picture is mirrored, and other permutations.
  @Test func mirrorImagesHaveNoPose() {
    for pose in Self.grid {
      let landmarks = SimulatedHead.broad.landmarks(pose)
      #expect(HeadPose(landmarks.swappingSides()) == nil)
      #expect(HeadPose(landmarks.map { Point2D(x: -$0.x, y: $0.y) }) == nil)
      var eyesOnly = landmarks
      (eyesOnly.rightEye, eyesOnly.leftEye) = (landmarks.leftEye, landmarks.rightEye)
      #expect(HeadPose(eyesOnly) == nil)
    }
  }

  /// About two in 100 random sets of points may pass for a badly drawn face.
  @Test func randomPointsHaveNoPose() {
    var generator = SeededGenerator(seed: 3)
    let poses = (0..<2000).compactMap { _ in HeadPose(generator.landmarks(in: 100)) }
    #expect(poses.count < 40)
  }
}

struct HeadPoseFitTests {
  /// Of all frontal views of the head, 4° apart, none is nearer to noisy points than the fit's, so
  /// the search did not end in a local minimum.
  @Test func findsTheNearestOfAllViews() throws {
    let angles = Array(stride(from: -88.0, through: 88, by: 4))
    let views = angles.flatMap { yaw in
      angles.map {
        SimulatedHead.fitted.landmarks(HeadPose(roll: 0, yaw: yaw, pitch: $0))
      }
    }
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20 {
      let pose = HeadPose(
        roll: generator.double(in: -180...180), yaw: generator.double(in: -55...55),
        pitch: generator.double(in: -45...45))
      let seen = SimulatedHead.long.landmarks(pose, noise: 0.04, using: &generator)
      let fit = try #require(HeadPoseFit(seen.points.map { SIMD2($0.x, $0.y) }))
      let distances = try views.map { try LandmarkSimilarity(of: $0, and: seen).distance }
      #expect(try fit.relativeResidual <= #require(distances.min()) + 1e-9)
      #expect(cos(fit.yaw) > 0 && cos(fit.pitch) > 0)
    }
  }
}
