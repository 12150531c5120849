import LibC

/// How a network gives a confidence: as a probability, or as t with the probability σ(t).
struct ConfidenceForm: Sendable {
  var isProbability: Bool

  func probability(_ value: Double) -> Double { isProbability ? value : sigmoid(value) }

  /// t: infinite for the probabilities 0 and 1, NaN for a number that is not a probability.
  func logit(_ value: Double) -> Double { isProbability ? log(value / (1 - value)) : value }

  /// How a score follows from a value of this name.
  func formula(_ name: String) -> String { isProbability ? name : "σ(\(name))" }
}
