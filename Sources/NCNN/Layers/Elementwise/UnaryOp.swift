// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// A function of each element, in ncnn's order; angles are in radians. AbsVal and TanH are also
/// kinds of their own, Erf only that.
package enum UnaryOp: ElementwiseKind, CaseIterable {
  case absolute, negative, floor, ceiling, square, squareRoot, reciprocalSquareRoot
  case exponential, logarithm, sine, cosine, tangent, arcSine, arcCosine, arcTangent, reciprocal
  case hyperbolicTangent, decimalLogarithm, round, truncate, sign, exponentialLessOne,
    hyperbolicSine
  case areaHyperbolicSine, hyperbolicCosine, areaHyperbolicCosine, areaHyperbolicTangent
  case logarithmOfOneMore, errorFunction

  init(_ reader: ParameterReader) throws(ModelError) {
    self = UnaryOp.allCases[try reader.integer(0, "op_type", default: 0, in: 0...27)]
  }

  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    switch self {
    case .exponential: .function(.exponential)
    case .hyperbolicTangent: .function(.tanh)
    default: .plain
    }
  }

  package func value(_ x: Float) -> Float {
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
