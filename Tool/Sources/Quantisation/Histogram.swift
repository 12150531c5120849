/// Counts of magnitudes in equal bins from 0 to the largest.
///
/// Zeros are not counted: a padded or rectified blob has any number of them, and each scale
/// represents them exactly.
public struct Histogram: Hashable, Sendable {
  /// The upper end of the last bin; positive.
  public let largest: Float
  /// The number of magnitudes in each bin.
  public private(set) var counts: [Int]

  /// An empty histogram.
  ///
  /// - Precondition: `largest` is positive and finite, and there is at least one bin.
  public init(largest: Float, bins: Int = 2048) {
    precondition(largest > 0 && largest.isFinite && bins > 0)
    self.largest = largest
    counts = Array(repeating: 0, count: bins)
  }

  /// Counts the magnitudes of numbers. What exceeds the largest goes into the last bin; NaN is left
  /// out.
  public mutating func add(_ numbers: [Float]) {
    let binsPerUnit = Float(counts.count) / largest
    let last = Float(counts.count - 1)
    for number in numbers where number.magnitude > 0 {
      counts[Int(min(number.magnitude * binsPerUnit, last))] += 1
    }
  }
}
