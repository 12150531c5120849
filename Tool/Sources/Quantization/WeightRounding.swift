// SPDX-License-Identifier: Apache-2.0
@_spi(Tool) import YOLOFaceNCNN

/// Weights as whole numbers from −127 to 127, and the scales that they were multiplied by.
public struct RoundedWeights: Hashable, Sendable {
  /// The largest sum of a group's weights of one sign.
  ///
  /// AVX2 multiplies unsigned by signed bytes and adds pairs of products in 16 bits. Activations of a Swish, at least
  /// −0.278, become at most 131 once they are offset to begin at 0, under a scale of up to 16; so four products fit
  /// 16 bits if the weights of either sign add up to at most 32767 / 131 = 250. Under larger scales the engine widens
  /// some sums earlier.
  public static let largestSum = 250

  /// The whole numbers, in the order of the weights.
  public var values: [Int8]
  /// A scale for each row.
  public var scales: [Float]
  /// How many rows have a smaller scale than their largest weight alone would allow.
  public var loweredRows: Int

  /// Rounds weights, half away from zero: rows × outputs × inputs × taps, with any number of outputs.
  ///
  /// There is a row, with a scale, for each output channel or for each group of them. A row's scale takes its largest
  /// magnitude to 127. It is lowered where the weights of one sign that a group of inputs, up to four channels that are
  /// added up together, has at one tap of the kernel would exceed `largestSum`.
  public init(_ weights: [Float], rows: Int, inputs: Int = 1, taps: Int = 1, groups: [[Int]] = []) {
    precondition(weights.count % (rows * inputs * taps) == 0)
    let size = weights.count / rows
    let groups = groups.map { $0.map { $0 * taps } }
    values = []
    values.reserveCapacity(weights.count)
    scales = []
    loweredRows = 0
    for row in 0..<rows {
      let weights = weights[row * size..<(row + 1) * size]
      let largest = weights.reduce(0) { max($0, $1.magnitude) }
      var scale = Int8Scales.possibleScale(127 / largest)
      var rounded = Self.rounded(weights, scale, limit: 127)
      var sum = Self.largestSum(rounded, outputSize: inputs * taps, taps: taps, groups: groups)
      if sum > Self.largestSum { loweredRows += 1 }
      while sum > Self.largestSum {
        let lower = scale * Float(Self.largestSum) / Float(sum)
        // Where no scale is low enough, weights are cut off.
        let isPossible = Int8Scales.possibleScale(lower) == lower
        if isPossible { scale = lower }
        rounded = Self.rounded(weights, scale, limit: isPossible ? 127 : Float(Self.largestSum / 4))
        sum = Self.largestSum(rounded, outputSize: inputs * taps, taps: taps, groups: groups)
      }
      values += rounded
      scales.append(scale)
    }
  }

  private static func rounded(
    _ weights: ArraySlice<Float>, _ scale: Float, limit: Float
  ) -> [Int8] {
    weights.map { weight in
      let scaled = (weight * scale).rounded(.toNearestOrAwayFromZero)
      return scaled.isNaN ? 0 : Int8(max(-limit, min(limit, scaled)))
    }
  }

  /// The largest sum of one sign over all groups, at any tap of any output of a row.
  private static func largestSum(
    _ row: [Int8], outputSize: Int, taps: Int, groups: [[Int]]
  ) -> Int {
    var largest = 0
    for output in stride(from: 0, to: row.count, by: outputSize) {
      for group in groups {
        for tap in output..<output + taps {
          var (positive, negative) = (0, 0)
          for input in group {
            let weight = Int(row[tap + input])
            if weight > 0 { positive += weight } else { negative -= weight }
          }
          largest = max(largest, positive, negative)
        }
      }
    }
    return largest
  }
}
