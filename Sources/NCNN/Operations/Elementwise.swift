import Untrusted

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
  /// −1, 0 or 1.
  case sign
  /// `eˣ − 1`
  case exponentialLessOne
  /// `(eˣ − e⁻ˣ) / 2`
  case hyperbolicSine
  /// The number whose hyperbolic sine is x.
  case areaHyperbolicSine
  /// `(eˣ + e⁻ˣ) / 2`
  case hyperbolicCosine
  /// The positive number whose hyperbolic cosine is x.
  case areaHyperbolicCosine
  /// The number whose hyperbolic tangent is x.
  case areaHyperbolicTangent
  /// `ln(1 + x)`
  case logarithmOfOneMore
  /// The error function, a layer of its own only, Erf.
  case errorFunction

  init(_ reader: ParameterReader) throws(ModelError) {
    let number = try reader.integer(0, "op_type", default: 0, in: 0...27)
    self = UnaryOp(rawValue: number) ?? .absolute
  }
}

/// A function of each element with parameters, each a kind of layer of its own.
public enum ElementwiseFunction: Hashable, Sendable {
  /// BNLL, and Softplus: `ln(1 + eˣ)`.
  case softplus
  /// CELU: x, or `alpha · (e^(x / alpha) − 1)` below zero.
  case celu(alpha: Float)
  /// Exp: the base, e where there is none, to the power of `scale · x + shift`.
  case exponential(base: Float?, scale: Float, shift: Float)
  /// Log: the logarithm of `scale · x + shift` to a base, e where there is none.
  case logarithm(base: Float?, scale: Float, shift: Float)
  /// Power: `(scale · x + shift)` to an exponent.
  case power(exponent: Float, scale: Float, shift: Float)
  /// SELU: `lambda · x`, or `lambda · alpha · (eˣ − 1)` below zero.
  case selu(alpha: Float, lambda: Float)
  /// Shrink: x moved towards zero by `bias`, or 0 within `lambda` of it.
  case shrink(bias: Float, lambda: Float)
  /// Threshold: 1 above, 0 up to it.
  case threshold(Float)

  /// Nil for other kinds.
  init?(_ reader: ParameterReader) throws(ModelError) {
    func real(_ key: Int, _ name: String, _ fallback: Float) throws(ModelError) -> Float {
      try reader.real(key, name, default: fallback)
    }
    func base() throws(ModelError) -> Float? {
      let base = try real(0, "base", -1)
      return base == -1 ? nil : base
    }
    switch UntrustedText(reader.kind) {
    case "BNLL", "Softplus": self = .softplus
    case "CELU": self = .celu(alpha: try real(0, "alpha", 1))
    case "Exp":
      self = .exponential(
        base: try base(), scale: try real(1, "scale", 1), shift: try real(2, "shift", 0))
    case "Log":
      self = .logarithm(
        base: try base(), scale: try real(1, "scale", 1), shift: try real(2, "shift", 0))
    case "Power":
      self = .power(
        exponent: try real(0, "power", 1), scale: try real(1, "scale", 1),
        shift: try real(2, "shift", 0))
    case "SELU":
      self = .selu(
        alpha: try real(0, "alpha", 1.67326324), lambda: try real(1, "lambda", 1.050700987))
    case "Shrink":
      self = .shrink(bias: try real(0, "bias", 0), lambda: try real(1, "lambd", 0.5))
    case "Threshold": self = .threshold(try real(0, "threshold", 0))
    default: return nil
    }
  }
}

extension ParameterReader {
  /// Refuses a Cast that changes the type of numbers.
  func requireNoCast() throws(ModelError) {
    guard UntrustedText(kind) == "Cast" else { return }
    let types = (try integer(0, "type_from", default: 0), try integer(1, "type_to", default: 0))
    guard types.0 == types.1 else {
      throw failure(.unsupported, "Cast from type \(types.0) to \(types.1)", "equal types")
    }
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
