import LibC

/// x · tanh(ln(1 + eˣ))
struct Mish: ElementwiseKind, Hashable {
  func value(_ x: Float) -> Float { x * tanh(log(exp(x) + 1)) }
}
