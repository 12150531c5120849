// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceQuantization

struct ClippingTests {
  /// 508 bins, and how many numbers are in the middle of some.
  private func histogram(_ counts: [Int: Int]) -> Histogram {
    var histogram = Histogram(largest: 508, bins: 508)
    for (bin, count) in counts { histogram.add(Array(repeating: Float(bin) + 0.5, count: count)) }
    return histogram
  }

  /// Bins of 127 · 4 numbers, so that a threshold of all of them has steps of 4 bins and a rounding
  /// error of 16 / 12; half of them have 4 / 12, and cut the number at 507.5 off by 253.5.
  @Test func agreesWithErrorsByHand() {
    let histogram = histogram([0: 5, 100: 30, 507: 1])
    // The five numbers at 0.5 err by no more than 0.25.
    let all: Double = 31 * 16 / 12 + 1.25
    #expect(abs(histogram.squaredError(clippedTo: 508) - all) < 1e-9)
    let half: Double = 30 * 4 / 12 + 253.5 * 253.5 + 1.25
    #expect(abs(histogram.squaredError(clippedTo: 254) - half) < 1e-6)
  }

  /// 100,000 numbers at 100.5 gain more by finer steps than the one at 507.5 loses: with t bins
  /// 100,000 t² / (127² · 12) + (507.5 − t)² is least at t = 335.
  @Test func clipsAnOutlier() {
    let threshold = histogram([100: 100_000, 507: 1]).leastErrorThreshold()
    #expect(abs(threshold - 335) <= 1)
  }

  @Test func keepsAllOfAnEmptyHistogram() {
    #expect(Histogram(largest: 3).leastErrorThreshold() == 3)
  }

  @Test func countsMagnitudesButNoZeros() {
    var histogram = Histogram(largest: 2, bins: 4)
    histogram.add([0, -0.1, 0.6, 1.9, 2, -7, .nan, .infinity])
    #expect(histogram.counts == [1, 1, 0, 4])
  }
}
