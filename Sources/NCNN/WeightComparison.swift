extension WeightArray {
  /// The largest difference between a weight of the first arrays and the one at its place in the second,
  /// at most that of an fp32 number, which is also that between a number and NaN.
  ///
  /// Nil where all are equal, or where arrays have not as many weights.
  package static func largestDifference(
    _ first: [WeightArray], _ second: [WeightArray]
  ) -> Double? {
    guard first.map(\.count) == second.map(\.count) else { return nil }
    let limit = Double(Float.greatestFiniteMagnitude)
    var largest = 0.0
    for (one, other) in zip(first, second) where one != other {
      for (a, b) in zip(one.floats, other.floats) where a != b && !(a.isNaN && b.isNaN) {
        let difference = abs(Double(a) - Double(b))
        largest = max(largest, difference.isNaN ? limit : min(difference, limit))
      }
    }
    return largest > 0 ? largest : nil
  }
}
