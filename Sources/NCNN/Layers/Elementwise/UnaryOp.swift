import LibC

/// The function that UnaryOp applies to each element, numbered as in ncnn.
enum UnaryOp: Int, Hashable, Sendable {
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

extension UnaryOp: ElementwiseKind {
  func value(_ x: Float) -> Float {
    switch self {
    case .absolute: abs(x)
    case .negative: -x
    case .floor: x.rounded(.down)
    case .ceiling: x.rounded(.up)
    case .square: x * x
    case .squareRoot: x.squareRoot()
    case .reciprocalSquareRoot: 1 / x.squareRoot()
    case .exponential: exp(x)
    case .logarithm: log(x)
    case .sine: sin(x)
    case .cosine: cos(x)
    case .tangent: tan(x)
    case .arcSine: asin(x)
    case .arcCosine: acos(x)
    case .arcTangent: atan(x)
    case .reciprocal: 1 / x
    case .hyperbolicTangent: tanh(x)
    case .decimalLogarithm: log10(x)
    case .round: x.rounded(.toNearestOrEven)
    case .truncate: x.rounded(.towardZero)
    case .sign: x > 0 ? 1 : x < 0 ? -1 : 0
    case .exponentialLessOne: expm1f(x)
    case .hyperbolicSine: sinhf(x)
    case .areaHyperbolicSine: asinhf(x)
    case .hyperbolicCosine: coshf(x)
    case .areaHyperbolicCosine: acoshf(x)
    case .areaHyperbolicTangent: atanhf(x)
    case .logarithmOfOneMore: log1pf(x)
    case .errorFunction: erff(x)
    }
  }
}
