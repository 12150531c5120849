import LibC
import NCNN

/// A kind that computes each element from the one at its place.
protocol ElementwiseKind: SingleOutputKind {
  /// The function's value at x.
  func value(_ x: Float) -> Float
  /// The steps of arithmetic that one value takes, see `Cost`.
  var steps: Int64 { get }
}

extension ElementwiseKind {
  /// Those of an exponential.
  var steps: Int64 { Cost.exponential }
  func outputShape(_ inputs: [[Int]]) -> [Int] { inputs[0] }
  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    inputs[0].mapped(value)
  }
  func cost(inputs: [[Int]], output: [Int]) -> Cost { .perElement(of: output, steps: steps) }
  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .sameElement }
}

extension Tensor {
  /// A function applied to every element.
  func mapped(_ transform: (Float) -> Float) -> Tensor {
    var result = self
    for index in result.values.indices { result.values[index] = transform(result.values[index]) }
    return result
  }
}

/// x, or x · slope below zero; a slope of 0 gives 0, even for −∞.
struct ReLU: ElementwiseKind {
  let slope: Float
  var steps: Int64 { 1 }
  func value(_ x: Float) -> Float { x < 0 ? (slope == 0 ? 0 : x * slope) : x }
}

/// x clamped to bounds; NaN stays.
struct Clip: ElementwiseKind {
  let minimum: Float
  let maximum: Float
  var steps: Int64 { 1 }
  func value(_ x: Float) -> Float { min(max(x, minimum), maximum) }
}

/// x · scale
struct Dropout: ElementwiseKind {
  let scale: Float
  var steps: Int64 { 1 }
  func value(_ x: Float) -> Float { x * scale }
}

/// 1 / (1 + e⁻ˣ)
struct Sigmoid: ElementwiseKind {
  func value(_ x: Float) -> Float { 1 / (1 + exp(-x)) }
}

/// x · σ(x), also called SiLU.
struct Swish: ElementwiseKind {
  func value(_ x: Float) -> Float { x / (1 + exp(-x)) }
}

/// clamp(alpha · x + beta, 0, 1)
struct HardSigmoid: ElementwiseKind {
  let alpha: Float
  let beta: Float
  var steps: Int64 { 1 }
  func value(_ x: Float) -> Float { min(max(alpha * x + beta, 0), 1) }
}

/// x · clamp(alpha · x + beta, 0, 1)
struct HardSwish: ElementwiseKind {
  let alpha: Float
  let beta: Float
  var steps: Int64 { 1 }
  func value(_ x: Float) -> Float { x * HardSigmoid(alpha: alpha, beta: beta).value(x) }
}

/// x · tanh(ln(1 + eˣ))
struct Mish: ElementwiseKind {
  func value(_ x: Float) -> Float { x * tanh(log(exp(x) + 1)) }
}

/// x, or alpha · (eˣ − 1) below zero.
struct ELU: ElementwiseKind {
  let alpha: Float
  func value(_ x: Float) -> Float { x < 0 ? alpha * (exp(x) - 1) : x }
}

/// x · Φ(x), where Φ is the normal distribution function; the fast form approximates it by a
/// hyperbolic tangent, with √(2/π) = 0.79788452.
struct GELU: ElementwiseKind {
  let isFast: Bool
  func value(_ x: Float) -> Float {
    isFast
      ? 0.5 * x * (1 + tanh(0.79788452 * (x + 0.044715 * x * x * x)))
      : 0.5 * x * erfc(-0.70710678 * x)
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

extension ElementwiseFunction: ElementwiseKind {
  func value(_ x: Float) -> Float {
    switch self {
    // Written so that no exponential overflows.
    case .softplus: max(x, 0) + log(1 + exp(-abs(x)))
    case .celu(let alpha): x < 0 ? alpha * (exp(x / alpha) - 1) : x
    case .exponential(let base?, let scale, let shift): pow(base, scale * x + shift)
    case .exponential(nil, let scale, let shift): exp(scale * x + shift)
    case .logarithm(let base?, let scale, let shift): log(scale * x + shift) / log(base)
    case .logarithm(nil, let scale, let shift): log(scale * x + shift)
    case .power(let exponent, let scale, let shift): pow(scale * x + shift, exponent)
    case .selu(let alpha, let lambda): lambda * (x < 0 ? alpha * (exp(x) - 1) : x)
    case .shrink(let bias, let lambda): x < -lambda ? x + bias : x > lambda ? x - bias : 0
    case .threshold(let threshold): x > threshold ? 1 : 0
    }
  }
}

extension Activation {
  /// The value at x of the activation that a layer applies to its own result.
  func apply(_ x: Float) -> Float {
    switch self {
    case .none: x
    case .relu: max(x, 0)
    case .leakyReLU(let slope): x < 0 ? x * slope : x
    case .clip(let minimum, let maximum): Clip(minimum: minimum, maximum: maximum).value(x)
    case .sigmoid: Sigmoid().value(x)
    case .mish: Mish().value(x)
    case .hardSwish(let alpha, let beta): HardSwish(alpha: alpha, beta: beta).value(x)
    }
  }
}
