import NCNN

extension Activation {
  /// The activation's value at x.
  func apply(_ x: Float) -> Float {
    switch self {
    case .none: x
    case .relu: max(x, 0)
    case .leakyReLU(let slope): Inference.relu(x, slope: slope)
    case .clip(let minimum, let maximum):
      Inference.clip(x, minimum: minimum, maximum: maximum)
    case .sigmoid: Inference.sigmoid(x)
    case .mish: Inference.mish(x)
    case .hardSwish(let alpha, let beta): Inference.hardSwish(x, alpha: alpha, beta: beta)
    }
  }
}
