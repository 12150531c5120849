import LibC

extension Histogram {
  /// The magnitude at which to clip so that the distribution changes least when it is rounded to
  /// equal levels, by the Kullback-Leibler divergence.
  ///
  /// For each number of bins, from `levels` to all, the distribution P has the magnitudes beyond
  /// them in its last bin. Q has the bins merged into the levels, each level's counts being spread
  /// evenly over its bins that hold any. The number of bins with the least divergence
  /// Σ P log(P / Q) wins, the smaller one of equals. (S. Migacz, "8-bit inference with TensorRT",
  /// 2017.)
  ///
  /// - Returns: the upper end of the last of these bins; `largest` where nothing was counted.
  public func leastDivergentThreshold(levels: Int = 128) -> Float {
    var best = (divergence: Double.infinity, bins: counts.count)
    for bins in stride(from: min(levels, counts.count), through: counts.count, by: 1) {
      let divergence = divergence(clippedTo: bins, levels: levels)
      if divergence < best.divergence { best = (divergence, bins) }
    }
    return largest * Float(best.bins) / Float(counts.count)
  }

  /// The divergence of the distribution, clipped to its first bins, from its rounded form; infinite
  /// where the rounded form has nothing in a bin in which the clipped one has something.
  func divergence(clippedTo bins: Int, levels: Int) -> Double {
    let kept = counts[..<bins]
    let keptCount = kept.reduce(0, +)
    let total = counts.reduce(0, +)
    guard keptCount > 0 else { return .infinity }
    let beyond = total - keptCount
    guard beyond == 0 || kept[bins - 1] > 0 else { return .infinity }
    var sum = 0.0
    var begin = 0
    for level in 1...levels {
      let end = level * bins / levels
      guard end > begin else { continue }
      let range = begin..<end
      begin = end
      let filled = kept[range].count { $0 > 0 }
      guard filled > 0 else { continue }
      let spread =
        Double(kept[range].reduce(0, +)) / Double(filled) / Double(keptCount)
      for bin in range where kept[bin] > 0 {
        let count = kept[bin] + (bin == bins - 1 ? beyond : 0)
        let share = Double(count) / Double(total)
        sum += share * log(share / spread)
      }
    }
    return sum
  }
}
