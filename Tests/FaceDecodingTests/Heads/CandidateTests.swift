// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing
import YOLOFaceDecoding

@Suite struct ScoreThresholdTests {
  /// ln(0.3 / 0.7) and ln(0.9 / 0.1), and 0 for one half. The logit is up to two Floats lower.
  @Test(arguments: [(Float(0.3), -0.847_297_86), (0.5, 0), (0.9, 2.197_224_58)])
  func logits(score: Float, expected: Double) {
    let logit = Double(ScoreThreshold(score).logit)
    #expect(isClose(logit, expected, tolerance: 1e-6))
  }

  @Test func extremes() {
    for all in [0, -3, -Float.infinity] { #expect(ScoreThreshold(all).logit == -.infinity) }
    for none in [Float(1).nextUp, .infinity, .nan] {
      #expect(ScoreThreshold(none).logit == .infinity)
    }
    // σ rounds to 1 from 1 − 2⁻²⁵ on: ln(2²⁵) = 17.33.
    #expect(isClose(Double(ScoreThreshold(1).logit), 17.328_68, tolerance: 1e-4))
    // The smallest Float is reached from its half on: ln(2⁻¹⁵⁰) = −103.97.
    let smallest = ScoreThreshold(Float.leastNonzeroMagnitude)
    #expect(isClose(Double(smallest.logit), -103.972_08, tolerance: 1e-4))
  }

  @Test func rejectsNaN() {
    for score in [Float(-1), 0, 0.5, 1, 2, .nan] {
      #expect(!ScoreThreshold(score).admits(logit: .nan))
    }
  }

  /// Around the boundary, Float by Float: a candidate is found exactly where its score, computed
  /// without any shortcut, is at or over the threshold.
  @Test(arguments: ScoreRule.allCases)
  func shortcutNeverChangesAResult(rule: ScoreRule) throws {
    var random = SeededGenerator(seed: 3)
    let head = YOLO5FaceHead.yoloFace[0].scored(by: rule)
    var found = 0
    var missed = 0
    for round in 0..<400 {
      // Also near 0 and 1, where the spacings of Floats and logits differ most.
      let score: Float =
        switch round % 4 {
        case 0: .random(in: 0.001...0.999, using: &random)
        case 1: .random(in: 1e-20...1e-6, using: &random)
        case 2: 1 - .random(in: 1e-7...1e-3, using: &random)
        default: [0.25, 0.3, 0.45, 0.5, 1].randomElement(using: &random)!
        }
      let threshold = ScoreThreshold(score)
      var objectness = threshold.logit
      for _ in 0..<40 { objectness = objectness.nextDown }
      for _ in 0..<80 {
        var values = SIMD16<Float>()
        values[4] = objectness
        values[15] = 40
        let expected = Float(1 / (1 + exp(-Double(objectness))))
        let face = head.decode(values, anchor: 0, column: 0, row: 0, threshold: threshold)
        #expect((face != nil) == (expected >= score))
        if face == nil { missed += 1 } else { found += 1 }
        objectness = objectness.nextUp
      }
    }
    #expect(found > 1000 && missed > 1000)
  }
}
