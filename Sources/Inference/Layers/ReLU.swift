/// x, or x · slope below zero.
func relu(_ x: Float, slope: Float) -> Float { x < 0 ? x * slope : x }
