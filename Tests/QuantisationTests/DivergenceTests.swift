import Foundation
import Testing

@testable import Quantisation

struct DivergenceTests {
  private func histogram(_ counts: [Int]) -> Histogram {
    var histogram = Histogram(largest: Float(counts.count), bins: counts.count)
    for (bin, count) in counts.enumerated() {
      histogram.add(Array(repeating: Float(bin) + 0.5, count: count))
    }
    return histogram
  }

  /// Two levels over four bins of 4, 2, 0, 1. All four: P = (4, 2, 0, 1) / 7, the levels spread to
  /// Q = (3, 3, 0, 1) / 7. The first two: a bin for each level, P = (4, 3) / 7, Q = (4, 2) / 6. The
  /// first three: the last of them is empty, but would hold the 1 beyond it.
  @Test func agreesWithDivergencesByHand() {
    let histogram = histogram([4, 2, 0, 1])
    #expect(histogram.counts == [4, 2, 0, 1])
    let all = (4 * log(4 / 3.0) + 2 * log(2 / 3.0)) / 7
    #expect(abs(histogram.divergence(clippedTo: 4, levels: 2) - all) < 1e-12)
    let two = 4 / 7.0 * log(6 / 7.0) + 3 / 7.0 * log(9 / 7.0)
    #expect(abs(histogram.divergence(clippedTo: 2, levels: 2) - two) < 1e-12)
    #expect(histogram.divergence(clippedTo: 3, levels: 2) == .infinity)
    // 0.0486 and 0.0196: two bins of the four.
    #expect(histogram.leastDivergentThreshold(levels: 2) == 2)
  }

  /// Eight equal bins and one outlier far above them: clipping it away changes the distribution
  /// less than giving up the lower bins' levels, when those are not alike.
  @Test func clipsAnOutlier() {
    var counts = [90, 10, 80, 20, 70, 30, 60, 40] + Array(repeating: 0, count: 55)
    counts.append(1)
    #expect(histogram(counts).leastDivergentThreshold(levels: 8) == 8)
  }

  @Test func keepsAllOfAnEmptyHistogram() {
    #expect(Histogram(largest: 3).leastDivergentThreshold() == 3)
  }

  @Test func countsMagnitudesButNoZeros() {
    var histogram = Histogram(largest: 2, bins: 4)
    histogram.add([0, -0.1, 0.6, 1.9, 2, -7, .nan, .infinity])
    #expect(histogram.counts == [1, 1, 0, 4])
  }
}
