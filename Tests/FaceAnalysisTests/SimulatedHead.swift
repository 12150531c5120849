// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

/// A head of known proportions in front of a camera, against which the angles are checked.
///
/// Coordinates as in `HeadPose`: x to the picture's right, y down, z at the viewer.
struct SimulatedHead: Sendable, CustomTestStringConvertible {
  /// The landmarks in the order of `Landmarks.points`, in units of the distance between the eyes.
  var points: [SIMD3<Double>]

  var testDescription: String { "nose \(points[2]), mouth \(points[4])" }

  /// A symmetrical head whose eyes are half a unit to either side of the origin.
  init(
    nose: (down: Double, forward: Double), mouth: (aside: Double, down: Double, forward: Double)
  ) {
    points = [
      SIMD3(-0.5, 0, 0), SIMD3(0.5, 0, 0), SIMD3(0, nose.down, nose.forward),
      SIMD3(-mouth.aside, mouth.down, mouth.forward),
      SIMD3(mouth.aside, mouth.down, mouth.forward),
    ]
  }

  /// The proportions that the fit assumes, repeated here.
  static let fitted = SimulatedHead(nose: (0.55, 0.60), mouth: (0.42, 0.99, 0.02))
  /// A narrow, long face with a long nose, and its opposite, each a few percent off.
  static let long = SimulatedHead(nose: (0.57, 0.63), mouth: (0.40, 1.03, 0.03))
  static let broad = SimulatedHead(nose: (0.53, 0.577), mouth: (0.44, 0.96, 0.01))
  /// MediaPipe's canonical face, which computer graphics artists made: the middle of the eyelids,
  /// the tip of the nose, the corners of the mouth. Its mouth is lower and more to the front.
  static let canonical = SimulatedHead(nose: (0.593, 0.605), mouth: (0.388, 1.101, 0.101))

  /// The landmarks in a picture that shows the head turned by a pose.
  ///
  /// - Parameters:
  ///   - distance: from the camera to the head, in distances between the eyes; infinite for weak
  ///     perspective.
  ///   - eyeDistance: between the eyes of the same head seen from the front, in pixels.
  ///   - noise: the standard deviation of a landmark's coordinates, in distances between the eyes.
  func landmarks(
    _ pose: HeadPose, distance: Double = .infinity, eyeDistance: Double = 60,
    center: Point2D = Point2D(x: 320, y: 240), noise: Double = 0,
    using generator: inout SeededGenerator
  ) -> Landmarks {
    let seen = points.map { point in
      let turned = Self.turned(point - SIMD3(0, 0.5, 0), by: pose)
      let scale = eyeDistance / (1 - turned.z / distance)
      return Point2D(
        x: center.x + turned.x * scale + noise * eyeDistance * Self.normal(&generator),
        y: center.y + turned.y * scale + noise * eyeDistance * Self.normal(&generator))
    }
    return Landmarks(seen)
  }

  func landmarks(_ pose: HeadPose, eyeDistance: Double = 60) -> Landmarks {
    var generator = SeededGenerator(seed: 0)
    return landmarks(pose, eyeDistance: eyeDistance, using: &generator)
  }

  /// Three turns one after the other, each in the plane of two axes.
  private static func turned(_ point: SIMD3<Double>, by pose: HeadPose) -> SIMD3<Double> {
    func turn(_ a: Double, _ b: Double, _ degrees: Double) -> (Double, Double) {
      let angle = degrees * .pi / 180
      return (a * cos(angle) - b * sin(angle), a * sin(angle) + b * cos(angle))
    }
    var (x, y, z) = (point.x, point.y, point.z)
    (y, z) = turn(y, z, pose.pitch)
    (x, z) = turn(x, z, pose.yaw)
    (x, y) = turn(x, y, pose.roll)
    return SIMD3(x, y, z)
  }

  /// A number of the standard normal distribution (Box and Muller).
  private static func normal(_ generator: inout SeededGenerator) -> Double {
    let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude...1, using: &generator)))
      .squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0...1, using: &generator))
  }
}

extension HeadPose {
  /// How far the angles are from another pose's, in degrees.
  func errors(from other: HeadPose) -> (roll: Double, yaw: Double, pitch: Double) {
    (
      abs((roll - other.roll).remainder(dividingBy: 360)), abs(yaw - other.yaw),
      abs(pitch - other.pitch)
    )
  }

  /// Whether the angles are another pose's: the search ends when steps are below 10⁻¹⁰ radians.
  func isClose(to other: HeadPose) -> Bool {
    let (roll, yaw, pitch) = errors(from: other)
    return roll < 1e-6 && yaw < 1e-6 && pitch < 1e-6
  }
}
