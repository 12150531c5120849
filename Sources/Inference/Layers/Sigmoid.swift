#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// 1 / (1 + e⁻ˣ)
func sigmoid(_ x: Float) -> Float { 1 / (1 + exp(-x)) }
