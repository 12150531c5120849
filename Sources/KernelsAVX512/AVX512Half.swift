#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import Kernels

  /// AVX-512's instructions on eight lanes, for blobs of few channels: a processor that splits vectors
  /// of 16 in two would compute the unused half.
  enum AVX512Half: InstructionSet {
    typealias Vector = SIMD8<Float>
    typealias WidePair = Twice<Twice<Twice<Pair<Vector>>>>
    typealias WideSingle = Twice<Twice<Twice<Twice<Single<Vector>>>>>

    // The instructions give their second operand where either is NaN, and the protocol the first.
    @inline(__always)
    static func minimum(_ a: Vector, _ b: Vector) -> Vector { _mm256_min_ps(b, a) }
    @inline(__always)
    static func maximum(_ a: Vector, _ b: Vector) -> Vector { _mm256_max_ps(b, a) }

    /// As `AVX512.swishDivisor`, but with the table in two registers.
    @inline(__always)
    static func swishDivisor(_ t: Vector) -> Vector {
      let shifter = Vector(repeating: 786_432)
      let shifted = t + shifter
      let whole = shifted - shifter
      let rest = t - whole
      let powers = AVX512.sixteenthPowersOf2
      let root = _mm256_permutex2var_ps(
        powers.lowHalf, unsafeBitCast(shifted, to: SIMD4<Int64>.self), powers.highHalf)
      let slope = _mm256_fmadd_ps(
        rest, Vector(repeating: 0.2402265), Vector(repeating: 0.6931472))
      return _mm256_scalef_ps(_mm256_fmadd_ps(root * rest, slope, root), whole) + swishFactor
    }
  }
#endif
