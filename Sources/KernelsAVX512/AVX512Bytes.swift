// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import YOLOFaceKernels

  /// AVX-512's arithmetic of bytes without VNNI, which adds pairs of products in 16 bits.
  enum AVX512Bytes: AVX512ByteInstructionSet {
    typealias WidePair = BytesSideBySide<QuartetPair<AVX512Bytes>, QuartetPair<AVX512Bytes>>
    typealias WideSingle = BytesSideBySide<Quartet<AVX512Bytes>, Quartet<AVX512Bytes>>

    static var arithmetic: ByteArithmetic {
      ByteArithmetic(addsInSixteenBits: true, pairsBlocks: true)
    }

    @inline(__always)
    static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums {
      add(sums, _mm512_maddubs_epi16(values, weights))
    }

    @inline(__always)
    static func addProducts(
      _ sums: Sums, quads: (UInt32, UInt32), weights: (Bytes, Bytes)
    ) -> Sums {
      let first = _mm512_maddubs_epi16(cast(SIMD16(repeating: quads.0)), weights.0)
      let second = _mm512_maddubs_epi16(cast(SIMD16(repeating: quads.1)), weights.1)
      return add(sums, _mm512_add_epi16(first, second))
    }

    /// Adds pairs of 16-bit sums.
    @inline(__always)
    private static func add(_ sums: Sums, _ pairs: Bytes) -> Sums {
      sums &+ cast(_mm512_madd_epi16(pairs, cast(SIMD32<Int16>(repeating: 1))))
    }

    @inline(__always)
    static func results(
      _ a: SIMD16<Float>, _ b: SIMD16<Float>, _ c: SIMD16<Float>, _ d: SIMD16<Float>,
      of curve: UnsafePointer<UInt8>
    ) -> Bytes {
      ordered(
        _mm512_packus_epi16(
          _mm512_srli_epi16(results(at: integers(a, b), of: curve), 8),
          _mm512_srli_epi16(results(at: integers(c, d), of: curve), 8)))
    }

    // The low four bits are looked up in each sixteenth of the table; the high ones choose.
    @inline(__always)
    static func lookUp(_ places: Bytes, in table: UnsafePointer<UInt8>) -> Bytes {
      let low = _mm512_and_si512(places, cast(SIMD64<UInt8>(repeating: 15)))
      let bit6 = _mm512_add_epi8(places, places)
      let bit5 = _mm512_add_epi8(bit6, bit6)
      let masks = (
        _mm512_movepi8_mask(_mm512_add_epi8(bit5, bit5)), _mm512_movepi8_mask(bit5),
        _mm512_movepi8_mask(bit6), _mm512_movepi8_mask(places)
      )
      @inline(__always)
      func sixteenth(_ index: Int) -> Bytes {
        let entries = UnsafeRawPointer(table + 16 &* index).loadUnaligned(as: SIMD4<Int32>.self)
        return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(cast(entries)), low)
      }
      @inline(__always)
      func eighth(_ index: Int) -> Bytes {
        _mm512_mask_blend_epi8(masks.0, sixteenth(2 &* index), sixteenth(2 &* index &+ 1))
      }
      @inline(__always)
      func quarter(_ index: Int) -> Bytes {
        _mm512_mask_blend_epi8(masks.1, eighth(2 &* index), eighth(2 &* index &+ 1))
      }
      return _mm512_mask_blend_epi8(
        masks.3, _mm512_mask_blend_epi8(masks.2, quarter(0), quarter(1)),
        _mm512_mask_blend_epi8(masks.2, quarter(2), quarter(3)))
    }

    @inline(__always)
    static func transposed(_ pixels: Bytes) -> Bytes {
      let quads = SIMD16<Int32>(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
      let order = SIMD16<UInt8>(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
      return _mm512_shuffle_epi8(
        _mm512_permutexvar_epi32(cast(quads), pixels),
        _mm512_broadcast_i32x4(cast(order)))
    }
  }
#endif
