import LibC
import NCNN

extension UnaryOp {
  /// The operation's value at x.
  func apply(_ x: Float) -> Float {
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
    }
  }
}
