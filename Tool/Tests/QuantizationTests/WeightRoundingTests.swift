// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceQuantization

struct WeightRoundingTests {
  /// Weights, the inputs of a row, the rows' scales and what is left.
  private static let cases: [([Float], inputs: Int, scales: [Float], values: [Int8])] = [
    // 127 / 2 = 63.5: 1 becomes 63.5, a half, and goes away from zero.
    ([2, 1, -1, 0.5, 0, -2], 6, [63.5], [127, 64, -64, 32, 0, -127]),
    // Each row has its own scale.
    (
      [1, -0.5, 127, 1, 0, 0, Float.leastNonzeroMagnitude, 0], 2, [127, 1, 1, 1],
      [127, -64, 127, 1, 0, 0, 0, 0]
    ),
    // Files hold scales up to 2⁶⁰: 1e-17 becomes 11.5.
    ([1e-17, -1e-19, 1e-30, 1e-30], 2, [0x1p60, 0x1p60], [12, 0, 0, 0]),
  ]

  @Test(arguments: cases.indices) func roundsEachRow(index: Int) {
    let (weights, inputs, scales, values) = Self.cases[index]
    let rounded = RoundedWeights(weights, rows: weights.count / inputs, inputs: inputs)
    #expect(rounded.scales == scales && rounded.values == values)
    #expect(rounded.loweredRows == 0)
  }

  /// Three weights of 127 make 381; at 250 / 381 of the scale they are 83, 83, 83, which add up to
  /// 249. The negative ones, and the other row, are as they were.
  @Test func lowersAScaleWhereASumWouldOverflow() {
    let rounded = RoundedWeights(
      [1, 1, 1, -1, 1, 0.5, 0.25, -1], rows: 2, inputs: 4, groups: [[0, 1, 2, 3]])
    #expect(rounded.loweredRows == 1)
    #expect(rounded.values == [83, 83, 83, -83, 127, 64, 32, -127])
    #expect(rounded.scales[1] == 127)
  }

  /// Two inputs of two taps each: at each tap the two weights of a sign add up to no more than 250.
  @Test func addsUpEachTapByItself() {
    let weights: [Float] = [1, 0, 0, 1]
    let rounded = RoundedWeights(weights, rows: 1, inputs: 2, taps: 2, groups: [[0, 1]])
    #expect(rounded.values == [127, 0, 0, 127])
    let together = RoundedWeights([1, 0, 1, 0], rows: 1, inputs: 2, taps: 2, groups: [[0, 1]])
    #expect(together.values == [125, 0, 125, 0])
  }

  /// No scale that can be read makes their sum small enough: they are cut off.
  @Test func cutsOffWeightsBeyondAllScales() {
    for weights: [Float] in [[1e30, 1e30, 1e30, 1e30], [.infinity, .infinity, .infinity, 1]] {
      let rounded = RoundedWeights(weights, rows: 1, inputs: 4, groups: [[0, 1, 2, 3]])
      #expect((0x1p-60...0x1p60).contains(rounded.scales[0]))
      #expect(rounded.values.reduce(0) { $0 + Int($1) } <= RoundedWeights.largestSum)
    }
  }
}
