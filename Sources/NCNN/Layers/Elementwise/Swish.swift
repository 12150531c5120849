import LibC

/// x · σ(x), also called SiLU.
struct Swish: ElementwiseKind, Hashable {
  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .function(.swish) }

  func value(_ x: Float) -> Float { x / (1 + exp(-x)) }
}
