import LibC

/// x, or alpha · (eˣ − 1) below zero.
func elu(_ x: Float, alpha: Float) -> Float { x < 0 ? alpha * (exp(x) - 1) : x }
