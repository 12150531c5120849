import LibC

/// x · σ(x), also called SiLU.
func swish(_ x: Float) -> Float { x / (1 + exp(-x)) }
