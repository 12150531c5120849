import NCNN

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// x · σ(x), also called SiLU.
func swish(_ x: Float) -> Float { x / (1 + exp(-x)) }

/// 1 / (1 + e⁻ˣ)
func sigmoid(_ x: Float) -> Float { 1 / (1 + exp(-x)) }

/// clamp(alpha · x + beta, 0, 1)
func hardSigmoid(_ x: Float, alpha: Float, beta: Float) -> Float {
  min(max(alpha * x + beta, 0), 1)
}

/// x · clamp(alpha · x + beta, 0, 1)
func hardSwish(_ x: Float, alpha: Float, beta: Float) -> Float {
  x * hardSigmoid(x, alpha: alpha, beta: beta)
}

extension Activation {
  /// The activation's value at x.
  func apply(_ x: Float) -> Float {
    switch self {
    case .none: x
    case .relu: max(x, 0)
    case .leakyReLU(let slope): x < 0 ? x * slope : x
    case .clip(let minimum, let maximum): min(max(x, minimum), maximum)
    case .sigmoid: Inference.sigmoid(x)
    case .mish: x * tanh(log(exp(x) + 1))
    case .hardSwish(let alpha, let beta): Inference.hardSwish(x, alpha: alpha, beta: beta)
    }
  }
}
