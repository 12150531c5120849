/// x, or x · slope below zero; with a slope of 0 it is 0 there, of −∞ too.
func relu(_ x: Float, slope: Float) -> Float { x < 0 ? slope == 0 ? 0 : x * slope : x }
