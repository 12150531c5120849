// SPDX-License-Identifier: Apache-2.0

/// Counts of magnitudes in equal bins from 0 to the largest.
///
/// Zeros are not counted: a padded or rectified blob has any number of them, and each scale represents them exactly.
public struct Histogram: Hashable, Sendable {
  /// The upper end of the last bin; positive.
  public let largest: Float
  /// The number of magnitudes in each bin.
  public private(set) var counts: [Int]

  /// An empty histogram, whose largest magnitude is positive and finite, with at least one bin.
  public init(largest: Float, bins: Int = 2048) {
    precondition(largest > 0 && largest.isFinite && bins > 0)
    self.largest = largest
    counts = Array(repeating: 0, count: bins)
  }

  /// Counts the magnitudes of numbers, what exceeds the largest in the last bin, and NaN nowhere.
  public mutating func add(_ numbers: [Float]) {
    let binsPerUnit = Float(counts.count) / largest
    let last = Float(counts.count - 1)
    for number in numbers where number.magnitude > 0 {
      counts[Int(min(number.magnitude * binsPerUnit, last))] += 1
    }
  }

  /// The magnitude at which to clip so that rounding to whole multiples of a 127th of it changes the numbers least, by
  /// the sum of squares: the upper end of a bin, or `largest` where nothing was counted.
  ///
  /// A number below the threshold errs by a twelfth of the square of a step on average, and by no more than itself; one
  /// beyond it by what is cut off.
  public func leastErrorThreshold() -> Float {
    var best = (error: Double.infinity, bins: counts.count)
    for bins in (1...counts.count).reversed() {
      let error = squaredError(clippedTo: bins)
      if error < best.error { best = (error, bins) }
    }
    return largest * Float(best.bins) / Float(counts.count)
  }

  /// The sum of squared errors in squared bins, each number being in the middle of its bin.
  func squaredError(clippedTo bins: Int) -> Double {
    let step = Double(bins) / 127
    let rounding = step * step / 12
    var sum = 0.0
    for (bin, count) in counts.enumerated() where count > 0 {
      let number = Double(bin) + 0.5
      let beyond = number - Double(bins)
      sum += Double(count) * (beyond < 0 ? min(rounding, number * number) : beyond * beyond)
    }
    return sum
  }
}
