/// x held within bounds; NaN stays.
func clip(_ x: Float, minimum: Float, maximum: Float) -> Float { min(max(x, minimum), maximum) }
