#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// x · σ(x), also called SiLU.
func swish(_ x: Float) -> Float { x / (1 + exp(-x)) }
