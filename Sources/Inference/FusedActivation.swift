import NCNN

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension Activation {
  /// The activation's value at x.
  func apply(_ x: Float) -> Float {
    switch self {
    case .none: x
    case .relu: max(x, 0)
    case .leakyReLU(let slope): Inference.relu(x, slope: slope)
    case .clip(let minimum, let maximum): min(max(x, minimum), maximum)
    case .sigmoid: Inference.sigmoid(x)
    case .mish: x * tanh(log(exp(x) + 1))
    case .hardSwish(let alpha, let beta): Inference.hardSwish(x, alpha: alpha, beta: beta)
    }
  }
}
