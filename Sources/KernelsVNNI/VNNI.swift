// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import YOLOFaceKernels
  import YOLOFaceKernelsAVX512

  /// AVX-512 with VNNI's dot products of bytes and VBMI's permutations of bytes.
  enum VNNI: AVX512ByteInstructionSet {
    typealias WidePair = BytesSideBySide<
      QuartetPair<VNNI>, BytesSideBySide<QuartetPair<VNNI>, QuartetPair<VNNI>>
    >
    typealias WideSingle = BytesSideBySide<
      Quartet<VNNI>, BytesSideBySide<Quartet<VNNI>, Quartet<VNNI>>
    >

    @inline(__always)
    static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums {
      cast(_mm512_dpbusd_epi32(cast(sums), values, weights))
    }

    @inline(__always)
    static func results(
      _ a: SIMD16<Float>, _ b: SIMD16<Float>, _ c: SIMD16<Float>, _ d: SIMD16<Float>,
      of curve: UnsafePointer<UInt8>
    ) -> Bytes {
      // The high bytes, pixel by pixel: packing left the pixels' quads of channels interleaved.
      let order = SIMD64<UInt8>(
        1, 3, 5, 7, 17, 19, 21, 23, 33, 35, 37, 39, 49, 51, 53, 55,
        9, 11, 13, 15, 25, 27, 29, 31, 41, 43, 45, 47, 57, 59, 61, 63,
        65, 67, 69, 71, 81, 83, 85, 87, 97, 99, 101, 103, 113, 115, 117, 119,
        73, 75, 77, 79, 89, 91, 93, 95, 105, 107, 109, 111, 121, 123, 125, 127)
      return _mm512_permutex2var_epi8(
        results(at: integers(a, b), of: curve), cast(order), results(at: integers(c, d), of: curve))
    }

    @inline(__always)
    static func lookUp(_ places: Bytes, in table: UnsafePointer<UInt8>) -> Bytes {
      let low = _mm512_permutex2var_epi8(bytes(table), places, bytes(table + 64))
      let high = _mm512_permutex2var_epi8(bytes(table + 128), places, bytes(table + 192))
      return _mm512_mask_blend_epi8(_mm512_movepi8_mask(places), low, high)
    }

    @inline(__always)
    static func transposed(_ pixels: Bytes) -> Bytes {
      let order = SIMD64<UInt8>(
        0, 16, 32, 48, 1, 17, 33, 49, 2, 18, 34, 50, 3, 19, 35, 51, 4, 20, 36, 52, 5, 21, 37, 53,
        6, 22, 38, 54, 7, 23, 39, 55, 8, 24, 40, 56, 9, 25, 41, 57, 10, 26, 42, 58, 11, 27, 43, 59,
        12, 28, 44, 60, 13, 29, 45, 61, 14, 30, 46, 62, 15, 31, 47, 63)
      return _mm512_permutexvar_epi8(cast(order), pixels)
    }
  }

  extension KernelTable {
    /// The kernels for AVX-512 with VNNI and VBMI: those for AVX-512, except for int8.
    public static let avx512vnni: KernelTable = {
      var table = KernelTable.avx512
      table.name = "avx512vnni"
      table.bytes = ByteKernelTable(VNNI.self)
      return table
    }()
  }
#endif
