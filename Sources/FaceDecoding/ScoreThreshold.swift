import LibC

/// How a face's score follows from the network's two confidences.
public enum ScoreRule: Sendable, Hashable, CaseIterable {
  /// σ(objectness) · σ(class), as YOLOv5 scores.
  case objectnessTimesClass
  /// σ(objectness) alone.
  case objectness
}

/// The lowest score a candidate may have, and the same limit put on the raw objectness value, so
/// that almost every cell is rejected by one comparison and without an exponential.
///
/// The shortcut never changes a result: σ rises with its argument and σ(class) ≤ 1, so an objectness
/// below `objectnessLogit` cannot reach `score` by either rule.
public struct ScoreThreshold: Sendable, Hashable {
  /// The lowest score that is kept. At 0 or below every candidate is kept; above 1, or where it is
  /// NaN, none is. At 1 those are kept whose score rounds to 1.
  public let score: Float
  /// How scores are computed.
  public let rule: ScoreRule
  /// No raw objectness value below this can reach `score`.
  public let objectnessLogit: Float

  /// Keeps the candidates whose score by `rule` is `score` or more.
  public init(_ score: Float, rule: ScoreRule = .objectnessTimesClass) {
    self.score = score
    self.rule = rule
    if score <= 0 {
      objectnessLogit = -.infinity
    } else if score <= 1 {
      // A score is rounded to Float: it reaches the threshold from halfway to the Float below. The
      // logit of that midpoint, rounded down, is under every objectness that can.
      let midpoint = (Double(score) + Double(score.nextDown)) / 2
      objectnessLogit = Float(log(midpoint / (1 - midpoint))).nextDown
    } else {
      objectnessLogit = .infinity
    }
  }

  /// False where a raw objectness value alone shows that the score falls short; NaN is not
  /// admitted. True promises nothing: the score still has to be computed.
  public func admits(objectness value: Float) -> Bool { value >= objectnessLogit }
}

/// The logistic function 1 / (1 + e⁻ˣ). 0 and 1 where x is far from 0, NaN for NaN.
func sigmoid(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
