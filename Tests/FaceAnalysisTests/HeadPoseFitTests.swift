import FaceDecoding
import Foundation
import TestSupport
import Testing

@testable import FaceAnalysis

struct HeadPoseFitTests {
  /// Of all frontal views of the head, 4° apart, none is nearer to noisy points than the fit's, so
  /// the search did not end in a local minimum.
  @Test func findsTheNearestOfAllViews() throws {
    let angles = Array(stride(from: -88.0, through: 88, by: 4))
    let views = angles.flatMap { yaw in
      angles.map { pitch in
        Self.centered(
          SimulatedHead.fitted.landmarks(HeadPose(roll: 0, yaw: yaw, pitch: pitch)).points)
      }
    }
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<20 {
      let pose = HeadPose(
        roll: .random(in: -180...180, using: &generator),
        yaw: .random(in: -55...55, using: &generator),
        pitch: .random(in: -45...45, using: &generator))
      let points = SimulatedHead.long.landmarks(pose, noise: 0.04, using: &generator).points
      let fit = try #require(HeadPoseFit(points.map { SIMD2($0.x, $0.y) }))
      let target = Self.centered(points)
      let least = views.map { Self.relativeResidual(of: $0, to: target) }.min() ?? 0
      #expect(fit.relativeResidual <= least + 1e-9)
      #expect(cos(fit.yaw) > 0 && cos(fit.pitch) > 0)
    }
  }

  private static func centered(_ points: [Point]) -> [Point] {
    let x = points.map(\.x).reduce(0, +) / 5
    let y = points.map(\.y).reduce(0, +) / 5
    return points.map { Point(x: $0.x - x, y: $0.y - y) }
  }

  /// What the least-squares similarity of one set of points to another leaves: the share of the
  /// squared lengths that their correlation does not explain.
  private static func relativeResidual(of view: [Point], to target: [Point]) -> Double {
    var (dot, cross, viewSize, targetSize) = (0.0, 0.0, 0.0, 0.0)
    for (a, b) in zip(view, target) {
      dot += a.x * b.x + a.y * b.y
      cross += a.x * b.y - a.y * b.x
      viewSize += a.x * a.x + a.y * a.y
      targetSize += b.x * b.x + b.y * b.y
    }
    return max(0, 1 - (dot * dot + cross * cross) / (viewSize * targetSize)).squareRoot()
  }
}
