// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import YOLOFaceKernels

  /// AVX-512 F, VL, BW, DQ: sixteen lanes, 32 registers, fused multiply-add.
  enum AVX512: InstructionSet {
    typealias Vector = SIMD16<Float>
    typealias WidePair = Thrice<Twice<Twice<Pair<Vector>>>>
    typealias WideSingle = Thrice<Twice<Twice<Single<Vector>>>>

    // Where either is NaN, the instructions return their second operand, the protocol its first.
    @inline(__always)
    static func minimum(_ a: Vector, _ b: Vector) -> Vector { _mm512_min_ps(b, a) }
    @inline(__always)
    static func maximum(_ a: Vector, _ b: Vector) -> Vector { _mm512_max_ps(b, a) }

    // The instruction that scales by a power of 2 needs no lower bound.
    @inline(__always)
    static func swishDivisor(_ t: Vector) -> Vector {
      let whole = (t + integerShifter) - integerShifter
      return _mm512_scalef_ps(swishPower(t - whole), whole) + swishFactor
    }
  }

  extension KernelTable {
    /// The kernels for AVX-512.
    public static let avx512 = KernelTable(
      AVX512.self, name: "avx512", bytes: ByteKernelTable(AVX512Bytes.self)
    ) {
      AVX512Half.convolveHalf($0)
    }
  }
#endif
