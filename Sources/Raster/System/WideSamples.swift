// SPDX-License-Identifier: Apache-2.0

/// How the 16-bit samples of a picture become 8-bit ones, and which values they have.
struct WideSamples {
  /// What each value becomes.
  private let narrowed: [UInt8]
  /// How many of the samples that were looked at have each value.
  private var counts: [Int]

  private static let values = 1 << 16
  /// Rows that are looked at for the values that are used: one of so many.
  private static let sparsity = 4
  /// The share of samples at either end that says nothing of what is used, such as dead and hot pixels.
  private static let outliers = 0.001

  /// Samples of the whole range become 8-bit ones with rounding.
  init() { self.init(stretching: 0...(Self.values - 1)) }

  /// Samples of a range of values become 8-bit ones of the whole range.
  init(stretching range: ClosedRange<Int>) {
    let (darkest, scale) = (range.lowerBound, max(range.count - 1, 1))
    narrowed = (0..<Self.values).map { value in
      UInt8((min(max(value - darkest, 0), scale) * 255 + scale / 2) / scale)
    }
    counts = [Int](repeating: 0, count: Self.values)
  }

  /// Fills a row of 8-bit samples; alpha, the last of four channels, is never stretched.
  mutating func narrow(
    _ row: UnsafeBufferPointer<UInt8>, y: Int, channels: Int, into target: inout [UInt8]
  ) {
    let isCounted = y % Self.sparsity == 0
    for index in 0..<row.count / 2 {
      let value = Int(row[2 * index]) << 8 | Int(row[2 * index + 1])
      if channels == 4, index % 4 == 3 {
        target[index] = UInt8((value * 255 + 32_767) / 65_535)
      } else {
        if isCounted { counts[value] += 1 }
        target[index] = narrowed[value]
      }
    }
  }

  /// The values that are used, but for outliers; nil where nothing was looked at.
  var used: ClosedRange<Int>? {
    let all = counts.reduce(0, +)
    let few = Int(Self.outliers * Double(all))
    func first(_ values: some Sequence<Int>) -> Int? {
      var seen = 0
      return values.first { value in
        seen += counts[value]
        return seen > few
      }
    }
    guard let low = first(0..<Self.values), let high = first((0..<Self.values).reversed()) else {
      return nil
    }
    return low <= high ? low...high : nil
  }
}
