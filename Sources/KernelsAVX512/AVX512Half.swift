// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import YOLOFaceKernels

  /// AVX-512's instructions on eight lanes, for blobs of few channels: a processor that splits
  /// 16-lane vectors in two would also compute the unused half.
  enum AVX512Half: InstructionSet {
    typealias Vector = SIMD8<Float>
    typealias WidePair = Twice<Twice<Twice<Pair<Vector>>>>
    typealias WideSingle = Twice<Twice<Twice<Twice<Single<Vector>>>>>

    // Where either is NaN, the instructions return their second operand, the protocol its first.
    @inline(__always)
    static func minimum(_ a: Vector, _ b: Vector) -> Vector { _mm256_min_ps(b, a) }
    @inline(__always)
    static func maximum(_ a: Vector, _ b: Vector) -> Vector { _mm256_max_ps(b, a) }

    @inline(__always)
    static func swishDivisor(_ t: Vector) -> Vector {
      let whole = (t + integerShifter) - integerShifter
      return _mm256_scalef_ps(swishPower(t - whole), whole) + swishFactor
    }
  }
#endif
