import NCNN

extension Quantiser {
  /// What a network in int8 does worse than in floating point, on inputs of the caller's choice: 0
  /// for nothing.
  public typealias Measure = (Network) throws -> Double

  /// The error if one layer alone is int8.
  public func error(ofLayer layer: Int, _ measure: Measure) throws -> Double {
    var alone = self
    alone.floatLayers = Set(layers).subtracting([layer])
    return try measure(try alone.quantised())
  }

  /// The error of the whole.
  public func error(_ measure: Measure) throws -> Double { try measure(try quantised()) }

  /// Chooses thresholds for all sets in one of three ways, by the error of the whole: the least
  /// divergent ones, the largest magnitudes, or the geometric means of the two.
  public mutating func chooseThresholds(_ histograms: [Histogram?], _ measure: Measure) throws {
    let least = histograms.map { $0?.leastDivergentThreshold() ?? 1 }
    let largest = histograms.map { $0?.largest ?? 1 }
    let between = zip(least, largest).map { ($0 * $1).squareRoot() }
    var best = Double.infinity
    for candidate in [least, between, largest] {
      var tried = self
      tried.thresholds = candidate
      let error = try tried.error(measure)
      if error < best {
        best = error
        thresholds = candidate
      }
    }
  }

  /// Moves the threshold of one set after another, by a factor up or down, as long as the error of
  /// the whole falls.
  ///
  /// - Parameters:
  ///   - factor: greater than 1.
  ///   - measure: the error.
  ///   - progress: called before each set, with the number of those that are done.
  /// - Returns: the error of the whole.
  @discardableResult
  public mutating func refineThresholds(
    by factor: Float, _ measure: Measure, progress: (Int) throws -> Void
  ) throws -> Double {
    var best = try error(measure)
    // From the end, where the sets are that the outputs depend on most directly.
    for (done, set) in readSets.reversed().enumerated() {
      try progress(done)
      for factor in [factor, 1 / factor] {
        while true {
          var tried = self
          tried.thresholds[set] *= factor
          guard tried.thresholds[set] > .leastUsefulRange, tried.thresholds[set].isFinite else {
            break
          }
          let error = try tried.error(measure)
          guard error < best else { break }
          best = error
          self = tried
        }
      }
    }
    return best
  }
}
