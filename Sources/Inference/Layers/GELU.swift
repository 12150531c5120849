import LibC

/// x · Φ(x), Φ being the normal distribution's; the fast form takes a hyperbolic tangent for it, with
/// √(2/π) = 0.79788452.
func gelu(_ x: Float, isFast: Bool) -> Float {
  isFast
    ? 0.5 * x * (1 + tanh(0.79788452 * (x + 0.044715 * x * x * x)))
    : 0.5 * x * erfc(-0.70710678 * x)
}
