// SPDX-License-Identifier: Apache-2.0

/// The largest difference of two numbers at the same index, relative above 1 and absolute below.
/// Equal infinities, or NaN in both, count as 0; infinity or NaN in one of them counts as infinite, as do
/// different counts.
package func largestDifference(of numbers: [Float], from expected: [Float]) -> Float {
  guard numbers.count == expected.count else { return .infinity }
  return zip(numbers, expected).reduce(0) { worst, pair in
    let (a, b) = pair
    if a == b || (a.isNaN && b.isNaN) { return worst }
    let difference = abs(a - b) / max(1, abs(b))
    return difference.isFinite ? max(worst, difference) : .infinity
  }
}

/// Whether all numbers have the same bits, or are NaN in both.
package func haveSameBits(_ numbers: [Float], _ others: [Float]) -> Bool {
  numbers.count == others.count
    && zip(numbers, others).allSatisfy {
      $0.bitPattern == $1.bitPattern || ($0.isNaN && $1.isNaN)
    }
}
