/// One of the network's numbers for a proposal, and what it decodes to, for people to read.
public struct DecodedValue: Sendable, Hashable {
  /// What the number stands for, such as "width"; a landmark's name is that of `Landmarks.names`.
  public let name: String
  /// How the value follows from the number t.
  public let formula: String
  /// The number t.
  public let raw: Float
  /// The value: pixels of the network's input, or a probability.
  public let value: Double

  /// A decoded value from its parts.
  public init(name: String, formula: String, raw: Float, value: Double) {
    self.name = name
    self.formula = formula
    self.raw = raw
    self.value = value
  }
}
