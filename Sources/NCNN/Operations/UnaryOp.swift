/// What UnaryOp makes of each element, by ncnn's numbers.
public enum UnaryOp: Int, Hashable, Sendable {
  /// `|x|`
  case absolute = 0
  /// `−x`
  case negative
  /// The next integer below.
  case floor
  /// The next integer above.
  case ceiling
  /// `x²`
  case square
  /// `√x`
  case squareRoot
  /// `1 / √x`
  case reciprocalSquareRoot
  /// `eˣ`
  case exponential
  /// The natural logarithm.
  case logarithm
  /// Of an angle in radians.
  case sine
  /// Of an angle in radians.
  case cosine
  /// Of an angle in radians.
  case tangent
  /// An angle in radians.
  case arcSine
  /// An angle in radians.
  case arcCosine
  /// An angle in radians.
  case arcTangent
  /// `1 / x`
  case reciprocal
  /// Also a layer of its own, TanH.
  case hyperbolicTangent
  /// The logarithm to base 10.
  case decimalLogarithm
  /// The nearest integer, the even one of two.
  case round
  /// The next integer towards 0.
  case truncate

  init(_ reader: ParameterReader) throws(ModelError) {
    let number = try reader.integer(0, "op_type", default: 0, in: 0...19)
    self = UnaryOp(rawValue: number) ?? .absolute
  }
}
