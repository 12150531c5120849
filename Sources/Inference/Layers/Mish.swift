#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// x · tanh(ln(1 + eˣ))
func mish(_ x: Float) -> Float { x * tanh(log(exp(x) + 1)) }
