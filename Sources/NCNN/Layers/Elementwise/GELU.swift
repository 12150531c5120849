// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// x · Φ(x), where Φ is the normal distribution function; the fast form approximates it by a
/// hyperbolic tangent, with √(2/π) = 0.79788452.
struct GELU: ElementwiseKind, Hashable {
  let isFast: Bool

  init(_ reader: ParameterReader) throws(ModelError) {
    isFast = try reader.flag(0, "fast_gelu")
  }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .function(.gelu(isFast: isFast)) }

  func value(_ x: Float) -> Float { Self.value(x, isFast: isFast) }

  static func value(_ x: Float, isFast: Bool) -> Float {
    isFast
      ? 0.5 * x * (1 + tanh(0.79788452 * (x + 0.044715 * x * x * x)))
      : 0.5 * x * erfc(-0.70710678 * x)
  }
}
