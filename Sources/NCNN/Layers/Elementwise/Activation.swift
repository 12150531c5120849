// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

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
  /// `clamp(alpha · x + beta, 0, 1)`: a layer of its own only.
  case hardSigmoid(alpha: Float, beta: Float)
  /// `x · σ(x)`: a layer of its own only.
  case swish

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

  /// The name and the parameters; nil for none.
  var words: String? {
    switch self {
    case .none: nil
    case .relu: "ReLU"
    case .leakyReLU(let slope): "leaky ReLU, slope \(slope)"
    case .clip(let minimum, let maximum): "clip to \(minimum) … \(maximum)"
    case .sigmoid: "sigmoid"
    case .mish: "Mish"
    case .hardSwish(let alpha, let beta): "HardSwish, alpha \(alpha), beta \(beta)"
    case .hardSigmoid(let alpha, let beta): "HardSigmoid, alpha \(alpha), beta \(beta)"
    case .swish: "Swish"
    }
  }

  func apply(_ x: Float) -> Float {
    switch self {
    case .none: x
    case .relu: max(x, 0)
    case .leakyReLU(let slope): x < 0 ? x * slope : x
    case .clip(let minimum, let maximum): min(max(x, minimum), maximum)
    case .sigmoid: 1 / (1 + exp(-x))
    case .mish: x * tanh(log(exp(x) + 1))
    case .hardSwish(let alpha, let beta): x * min(max(alpha * x + beta, 0), 1)
    case .hardSigmoid(let alpha, let beta): min(max(alpha * x + beta, 0), 1)
    case .swish: x / (1 + exp(-x))
    }
  }

  /// The steps for one element.
  var steps: Int64 { self == .sigmoid || self == .mish || self == .swish ? Cost.exponential : 1 }
}

/// A kind that computes what other layers have as an activation.
protocol ActivationKind: ElementwiseKind {
  var activation: Activation { get }
}

extension ActivationKind {
  package func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    .function(.activation(activation))
  }
  var steps: Int64 { activation.steps }
  func value(_ x: Float) -> Float { activation.apply(x) }
}
