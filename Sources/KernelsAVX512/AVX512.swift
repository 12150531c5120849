#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import Kernels

  /// AVX-512 F, VL, BW, DQ: sixteen lanes, 32 registers, fused multiply-add.
  enum AVX512: InstructionSet {
    typealias Vector = SIMD16<Float>
    typealias WidePair = Thrice<Twice<Twice<Pair<Vector>>>>
    typealias WideSingle = Thrice<Twice<Twice<Single<Vector>>>>

    // The instructions give their second operand where either is NaN, and the protocol the first.
    @inline(__always)
    static func minimum(_ a: Vector, _ b: Vector) -> Vector { _mm512_min_ps(b, a) }
    @inline(__always)
    static func maximum(_ a: Vector, _ b: Vector) -> Vector { _mm512_max_ps(b, a) }

    /// 2ᵗ with t = n + j / 16 + rest: n by the scaling instruction, 2^(j/16) from a table that is one
    /// register, and for the rest, in [−1/32, 1/32], a polynomial of degree 2 with a relative error
    /// below 2 · 10⁻⁶.
    @inline(__always)
    static func swishDivisor(_ t: Vector) -> Vector {
      // Adding 1.5 · 2¹⁹ leaves sixteenths in the lowest bits; the table looks at four of them.
      let shifter = Vector(repeating: 786_432)
      let shifted = t + shifter
      let whole = shifted - shifter
      let rest = t - whole
      let root = _mm512_permutexvar_ps(
        unsafeBitCast(shifted, to: SIMD8<Int64>.self), sixteenthPowersOf2)
      let slope = _mm512_fmadd_ps(
        rest, Vector(repeating: 0.2402265), Vector(repeating: 0.6931472))
      return _mm512_scalef_ps(_mm512_fmadd_ps(root * rest, slope, root), whole) + swishFactor
    }

    /// −log₂e · 2^(j/16) for j = 0…15.
    @inline(__always)
    static var sixteenthPowersOf2: Vector {
      Vector(
        -1.44269502, -1.50656855, -1.57327008, -1.64292467, -1.71566319, -1.79162216,
        -1.87094402, -1.95377779, -2.04027891, -2.13060975, -2.22493982, -2.32344651,
        -2.42631412, -2.53373623, -2.64591432, -2.7630589)
    }
  }

  extension KernelTable {
    /// The kernels for AVX-512.
    public static let avx512 = KernelTable(AVX512.self, name: "avx512") {
      AVX512Half.convolveHalf($0)
    }
  }
#endif
