#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import Kernels

  /// AVX-512 with VNNI's dot products of bytes and VBMI's permutations of bytes.
  enum VNNI: ByteInstructionSet {
    typealias Sums = SIMD16<Int32>
    typealias Bytes = SIMD8<Int64>
    typealias WidePair = BytesSideBySide<
      QuartetPair<VNNI>, BytesSideBySide<QuartetPair<VNNI>, QuartetPair<VNNI>>
    >
    typealias WideSingle = BytesSideBySide<
      Quartet<VNNI>, BytesSideBySide<Quartet<VNNI>, Quartet<VNNI>>
    >

    static var lanes: Int { 16 }

    @inline(__always)
    static func sums(_ source: UnsafePointer<Int32>) -> Sums {
      UnsafeRawPointer(source).loadUnaligned(as: Sums.self)
    }

    @inline(__always)
    static func bytes(_ source: UnsafeRawPointer) -> Bytes { source.loadUnaligned(as: Bytes.self) }

    @inline(__always)
    static func store(_ bytes: Bytes, _ target: UnsafeMutableRawPointer, pixels: Int) {
      if pixels == 4 {
        target.storeBytes(of: bytes, as: Bytes.self)
      } else {
        _mm512_mask_storeu_epi64(target, UInt8(truncatingIfNeeded: 1 &<< (2 &* pixels) &- 1), bytes)
      }
    }

    @inline(__always)
    static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums {
      cast(_mm512_dpbusd_epi32(cast(sums), values, weights))
    }

    @inline(__always)
    static func addProducts(
      _ sums: Sums, quads: (UInt32, UInt32), weights: (Bytes, Bytes)
    ) -> Sums {
      let first = addProducts(sums, cast(SIMD16(repeating: quads.0)), weights.0)
      return addProducts(first, cast(SIMD16(repeating: quads.1)), weights.1)
    }

    @inline(__always)
    private static func scaled(_ sums: Sums, _ scales: UnsafePointer<Float>) -> SIMD16<Float> {
      _mm512_cvtepi32_ps(cast(sums))
        * UnsafeRawPointer(scales).loadUnaligned(as: SIMD16<Float>.self)
    }

    @inline(__always)
    static func store(
      _ sums: Sums, scales: UnsafePointer<Float>, _ target: UnsafeMutableRawPointer,
      offsets: UnsafePointer<Int>
    ) {
      (target + offsets[0]).storeBytes(of: scaled(sums, scales), as: SIMD16<Float>.self)
    }

    @inline(__always)
    static func rounded(_ sums: Quartet<VNNI>, scales: UnsafePointer<Float>) -> Bytes {
      @inline(__always)
      func integers(_ sums: Sums) -> Bytes { _mm512_cvtps_epi32(scaled(sums, scales)) }
      let ab = _mm512_packs_epi32(integers(sums.a), integers(sums.b))
      let cd = _mm512_packs_epi32(integers(sums.c), integers(sums.d))
      // Packing works within 128 bits, which leaves the pixels' quads of channels interleaved.
      let order = SIMD16<Int32>(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
      return _mm512_permutexvar_epi32(cast(order), _mm512_packs_epi16(ab, cd))
    }

    @inline(__always)
    static func raised(_ bytes: Bytes, to minimum: Int8, zero: UInt8) -> Bytes {
      _mm512_add_epi8(
        _mm512_max_epi8(bytes, cast(SIMD64(repeating: minimum))), cast(SIMD64(repeating: zero)))
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

    @inline(__always)
    static func maximum(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
      cast(_mm_max_epu8(cast(a), cast(b)))
    }
  }

  extension ByteKernelTable {
    /// The int8 kernels for AVX-512 with VNNI and VBMI.
    public static let vnni = ByteKernelTable(VNNI.self)
  }
#endif
