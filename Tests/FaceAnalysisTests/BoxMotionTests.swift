// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding

@testable import YOLOFaceAnalysis

struct BoxMotionTests {
  private static func square(at x: Double, side: Double = 100) -> Box {
    Box(center: Point2D(x: x, y: 0), size: Size2D(width: side, height: side))
  }

  private let square = Self.square(at: 0)
  private var motion = BoxMotion(square(at: 0))

  /// After a second without observations, in sides: the variance of the position is
  /// 0.0025 + 9 + 1/3 = 9.335833…, its covariance with the velocity 9 + 1/2, and a found box's own
  /// variance 0.0025. So 9.335833 / 9.338333 of a step go to the position, 9.5 / 9.338333 to the
  /// velocity.
  @Test mutating func weighsAsComputedByHand() {
    motion.advance(by: 1)
    #expect(motion.box == square)
    motion.correct(with: Self.square(at: 40))
    #expect(abs(motion.box.center.x - 40 * 9.3358333333 / 9.3383333333) < 1e-7)
    #expect(motion.box.width == 100)
    motion.advance(by: 1)
    #expect(abs(motion.box.center.x - 40 * 18.8358333333 / 9.3383333333) < 1e-7)
  }

  /// −ln of Student's t relative to its peak in the narrowest case. For a new motion the variance
  /// is that of two found boxes, so the widening costs 4/2 · ln 2. 100 · √0.005 pixels off is one
  /// standard deviation, which adds (10 + 4)/2 · ln(1 + 1/10).
  @Test func improbabilityByHand() {
    #expect(abs(motion.improbability(of: square) - 1.386294361) < 1e-8)
    let off = motion.improbability(of: Self.square(at: 100 * 0.005.squareRoot()))
    #expect(abs(off - 1.386294361 - 0.667171259) < 1e-8)
    // A box twice as large is as improbable as one that is √2 · 100 pixels away.
    let large = motion.improbability(of: Self.square(at: 0, side: 200))
    #expect(abs(large - motion.improbability(of: Self.square(at: 2.0.squareRoot() * 100))) < 1e-9)
  }

  /// Up to a deviation of half a side, ten times the least: 4 · ln 10.
  @Test mutating func uncertaintyGrowsWhileUnseen() {
    for _ in 0..<10 {
      let last = motion.improbability(of: square)
      motion.advance(by: 0.01)
      #expect(motion.improbability(of: square) > last)
    }
    motion.advance(by: 10)
    #expect(abs(motion.improbability(of: square) - 9.210340372) < 1e-8)
  }

  /// 40 of 100 pixels of width are missing, so the variance of the found centre x and width is
  /// 0.0025 + 2 · 0.4² = 0.3225; the expected variance is 9.335833… as above, and y is as there.
  @Test mutating func trustsAPartlyHiddenFaceLess() {
    motion.advance(by: 1)
    motion.correct(with: Box(x: -30, y: -40, width: 60, height: 100))
    #expect(abs(motion.box.width - (100 - 40 * 9.3358333333 / 9.6583333333)) < 1e-7)
    #expect(abs(motion.box.center.x) < 1e-12)
    #expect(abs(motion.box.height - 100) < 1e-12)
    #expect(abs(motion.box.center.y - 10 * 9.3358333333 / 9.3383333333) < 1e-7)
  }

  /// A face that moves by 10 pixels a frame goes behind an edge at 0, and is last seen 40 pixels
  /// wide. Half a second after that its centre is where it would be: 10 + 15 · 10.
  @Test mutating func keepsItsMotionBehindAnEdge() {
    motion = BoxMotion(Box(x: -300, y: -50, width: 100, height: 100))
    for left in stride(from: -290.0, through: -40, by: 10) {
      motion.advance(by: 1.0 / 30)
      motion.correct(with: Box(x: left, y: -50, width: min(100, -left), height: 100))
    }
    motion.advance(by: 0.5)
    #expect(abs(motion.box.center.x - 160) < 20)
    #expect(motion.box.width > 70)
  }

  @Test mutating func aVanishedBoxMatchesNothing() {
    motion.advance(by: 1)
    motion.correct(with: Self.square(at: 0, side: 60))
    motion.advance(by: 5)
    #expect(motion.box.isDegenerate)
    #expect(motion.improbability(of: square) == .infinity)
  }
}
