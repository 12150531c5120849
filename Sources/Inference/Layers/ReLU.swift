/// x, or 0 below zero, of −∞ too.
func relu(_ x: Float) -> Float { x < 0 ? 0 : x }

/// x, or x · slope below zero.
func relu(_ x: Float, slope: Float) -> Float { x < 0 ? x * slope : x }
