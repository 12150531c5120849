import LibC

/// The lowest score a candidate may have, and the same limit put on a raw confidence, so that almost
/// every cell is rejected by one comparison and without an exponential.
///
/// The shortcut never changes a result: σ rises with its argument, so a raw value below `logit` cannot
/// reach `score`, neither alone nor multiplied by another confidence, which is at most 1.
public struct ScoreThreshold: Sendable, Hashable {
  /// The lowest score that is kept. At 0 or below every candidate is kept; above 1, or where it is
  /// NaN, none is. At 1 those are kept whose score rounds to 1.
  public let score: Float
  /// No raw confidence below this can reach `score`.
  public let logit: Float

  /// Keeps the candidates whose score is `score` or more.
  public init(_ score: Float) {
    self.score = score
    if score <= 0 {
      logit = -.infinity
    } else if score <= 1 {
      // A score is rounded to Float: it reaches the threshold from halfway to the Float below. The
      // logit of that midpoint, rounded down, is under every raw value that can.
      let midpoint = (Double(score) + Double(score.nextDown)) / 2
      logit = Float(log(midpoint / (1 - midpoint))).nextDown
    } else {
      logit = .infinity
    }
  }

  /// False where a raw confidence alone shows that the score falls short; NaN is not admitted. True
  /// promises nothing: the score still has to be computed.
  public func admits(logit value: Float) -> Bool { value >= logit }
}

/// The logistic function 1 / (1 + e⁻ˣ). 0 and 1 where x is far from 0, NaN for NaN.
func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
