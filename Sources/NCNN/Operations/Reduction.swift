/// Parameters of Reduction: the elements along some axes reduced to one.
public struct Reduction: Hashable, Sendable {
  /// What the elements are reduced to, numbered as in ncnn.
  public enum Summary: Int, Hashable, Sendable {
    /// `Σ x`
    case sum = 0
    /// `Σ |x|`
    case absoluteSum
    /// `Σ x²`
    case squareSum
    /// The mean.
    case mean
    /// The largest.
    case maximum
    /// The smallest.
    case minimum
    /// The product.
    case product
    /// `Σ |x|`
    case norm1
    /// `√(Σ x²)`
    case norm2
    /// `ln Σ x`
    case logSum
    /// `ln Σ eˣ`
    case logSumOfExponentials
  }

  /// What the elements are reduced to.
  public var summary: Summary
  /// The factor of the result.
  public var coefficient: Float
  /// The axes, negative ones from the innermost; nil for all.
  public var axes: [Int]?
  /// Whether the axes stay, of size 1.
  public var keepsAxes: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    let number = try reader.integer(0, "operation", default: 0, in: 0...10)
    summary = Summary(rawValue: number) ?? .sum
    coefficient = try reader.real(2, "coeff", default: 1)
    keepsAxes = try reader.flag(4, "keepdims")
    guard try !reader.flag(1, "reduce_all", default: true) else { return }
    let axes = try reader.integers(3, "axes", in: axisRange)
    guard !axes.isEmpty, try reader.flag(5, "fixbug0") else {
      throw reader.refusal(
        "no axes, or axes that old versions of ncnn count differently",
        expected: "axes (key 3) and fixbug0 5=1, or reduce_all 1=1")
    }
    self.axes = axes
  }
}
