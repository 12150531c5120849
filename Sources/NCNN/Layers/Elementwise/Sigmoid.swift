import LibC

/// 1 / (1 + e⁻ˣ)
struct Sigmoid: ElementwiseKind, Hashable {
  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering { .function(.sigmoid) }

  func value(_ x: Float) -> Float { 1 / (1 + exp(-x)) }
}
