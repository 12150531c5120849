/// Parameters of BinaryOp: arithmetic on two blobs, or on a blob and a number.
public struct BinaryOp: Hashable, Sendable {
  /// The arithmetic, numbered as in ncnn; `a` is the first input, `b` the second or the number.
  public enum Arithmetic: Int, Hashable, Sendable {
    /// `a + b`
    case add = 0
    /// `a − b`
    case subtract
    /// `a · b`
    case multiply
    /// `a / b`
    case divide
    /// The larger one.
    case maximum
    /// The smaller one.
    case minimum
    /// `a` to the power of `b`.
    case power
    /// `b − a`
    case subtractReversed
    /// `b / a`
    case divideReversed
    /// `b` to the power of `a`.
    case powerReversed
    /// The angle of the point (b, a).
    case arcTangent
    /// The angle of the point (a, b).
    case arcTangentReversed
    /// What is left of `a` after as many `b` as are no larger, of the sign of `a`.
    case truncatedRemainder
    /// What is left of `b` after as many `a` as are no larger, of the sign of `b`.
    case truncatedRemainderReversed
    /// `ln(eᵃ + eᵇ)`
    case logSumOfExponentials
    /// `a / b`, rounded down.
    case floorQuotient
    /// `b / a`, rounded down.
    case floorQuotientReversed
    /// What lies between `a` and the nearest multiple of `b`.
    case remainder
    /// What lies between `b` and the nearest multiple of `a`.
    case remainderReversed
  }

  /// The arithmetic.
  public var arithmetic: Arithmetic
  /// The number that takes the place of the second blob, if any.
  public var scalar: Float?

  init(_ reader: ParameterReader) throws(ModelError) {
    let number = try reader.integer(0, "op_type", default: 0, in: 0...18)
    arithmetic = Arithmetic(rawValue: number) ?? .add
    scalar = try reader.flag(1, "with_scalar") ? try reader.real(2, "b", default: 0) : nil
  }
}
