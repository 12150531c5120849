// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import YOLOFaceKernels

  /// AVX2 and FMA: eight lanes, 16 registers, fused multiply-add.
  enum AVX2: InstructionSet {
    typealias Vector = SIMD8<Float>
    typealias WidePair = Twice<Twice<Pair<Vector>>>
    typealias WideSingle = Twice<Twice<Twice<Single<Vector>>>>

    static var activatesTiles: Bool { false }

    // Where either is NaN, the instructions return their second operand, the protocol its first.
    @inline(__always)
    static func minimum(_ a: Vector, _ b: Vector) -> Vector { _mm256_min_ps(b, a) }
    @inline(__always)
    static func maximum(_ a: Vector, _ b: Vector) -> Vector { _mm256_max_ps(b, a) }
  }

  extension KernelTable {
    /// The kernels for AVX2.
    public static let avx2 = KernelTable(
      AVX2.self, name: "avx2", bytes: ByteKernelTable(AVX2Bytes.self))
  }
#endif
