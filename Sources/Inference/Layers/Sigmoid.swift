import LibC

/// 1 / (1 + e⁻ˣ)
func sigmoid(_ x: Float) -> Float { 1 / (1 + exp(-x)) }
