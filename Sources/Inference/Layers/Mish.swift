import LibC

/// x · tanh(ln(1 + eˣ))
func mish(_ x: Float) -> Float { x * tanh(log(exp(x) + 1)) }
