/// The function that UnaryOp applies to each element, numbered as in ncnn.
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
  /// The nearest integer, ties to even.
  case round
  /// The next integer towards 0.
  case truncate

  init(_ reader: ParameterReader) throws(ModelError) {
    let number = try reader.integer(0, "op_type", default: 0, in: 0...19)
    self = UnaryOp(rawValue: number) ?? .absolute
  }
}

/// The activation that a layer applies to its own result.
public enum Activation: Hashable, Sendable {
  /// None.
  case none
  /// `max(x, 0)`.
  case relu
  /// `x`, or `x · slope` below zero.
  case leakyReLU(slope: Float)
  /// `x` clamped to bounds.
  case clip(minimum: Float, maximum: Float)
  /// `1 / (1 + e⁻ˣ)`.
  case sigmoid
  /// `x · tanh(ln(1 + eˣ))`.
  case mish
  /// `x · clamp(alpha · x + beta, 0, 1)`.
  case hardSwish(alpha: Float, beta: Float)

  init(_ reader: ParameterReader) throws(ModelError) {
    let number = try reader.integer(9, "activation_type", default: 0, in: 0...6)
    let values = try reader.reals(10, "activation_params")
    func value(_ index: Int) throws(ModelError) -> Float {
      guard values.count > index else {
        throw reader.refusal(
          "activation_type 9=\(number) and \(values.count) activation_params",
          expected: "at least \(index + 1)")
      }
      return values[index]
    }
    switch number {
    case 1: self = .relu
    case 2: self = .leakyReLU(slope: try value(0))
    case 3: self = .clip(minimum: try value(0), maximum: try value(1))
    case 4: self = .sigmoid
    case 5: self = .mish
    case 6: self = .hardSwish(alpha: try value(0), beta: try value(1))
    default: self = .none
    }
  }
}
