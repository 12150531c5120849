// SPDX-License-Identifier: Apache-2.0
#if arch(arm64)
  import YOLOFaceKernels
  import YOLOFaceKernelsBaseline
  import _Builtin_intrinsics.arm.neon

  /// NEON's with the dot products of bytes that most processors have since Armv8.2. They are of signed bytes, so
  /// that values are taken as 128 less.
  enum DotProductRegisters: NEONRegisters {
    typealias Weights = SIMD16<UInt8>

    static var arithmetic: ByteArithmetic { ByteArithmetic(valueOffset: 128) }

    @inline(__always)
    static func weights(_ source: UnsafeRawPointer) -> SIMD16<UInt8> {
      source.loadUnaligned(as: SIMD16<UInt8>.self)
    }

    @inline(__always)
    static func addProducts(
      _ sums: SIMD4<Int32>, _ values: SIMD16<UInt8>, _ weights: SIMD16<UInt8>
    ) -> SIMD4<Int32> {
      vdotq_s32(sums, cast(values ^ 0x80), cast(weights))
    }
  }

  extension KernelTable {
    /// The kernels for NEON with dot products of bytes: those for NEON, except for int8.
    public static let dotProduct: KernelTable = {
      var table = KernelTable.baseline
      table.name = "dotproduct"
      table.bytes = ByteKernelTable(BaselineBytes<DotProductRegisters>.self)
      return table
    }()
  }
#endif
