// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import YOLOFaceKernels

  /// What AVX-512's arithmetic of bytes has in common with and without VNNI.
  public protocol AVX512ByteInstructionSet: ByteInstructionSet
  where Sums == SIMD16<Int32>, Numbers == SIMD16<Float>, Bytes == SIMD8<Int64> {}

  extension AVX512ByteInstructionSet {
    /// The fp32 lanes of a register.
    @inlinable @inline(__always)
    public static var lanes: Int { 16 }
    /// True: there are 32 registers.
    @inlinable @inline(__always)
    public static var arithmetic: ByteArithmetic { ByteArithmetic(pairsBlocks: true) }

    /// The first pixels of four to memory.
    @inlinable @inline(__always)
    public static func store(_ bytes: Bytes, _ target: UnsafeMutableRawPointer, pixels: Int) {
      if pixels == 4 {
        target.storeBytes(of: bytes, as: Bytes.self)
      } else {
        _mm512_mask_storeu_epi64(target, UInt8(truncatingIfNeeded: 1 &<< (2 &* pixels) &- 1), bytes)
      }
    }

    /// Adds the products of a quad.
    @inlinable @inline(__always)
    public static func addProducts(_ sums: Sums, quad: UInt32, weights: Bytes) -> Sums {
      addProducts(sums, cast(SIMD16(repeating: quad)), weights)
    }

    /// The sums as floats, times their factors, plus their addends.
    @inlinable @inline(__always)
    public static func numbers(_ sums: Sums, factors: UnsafePointer<Float>) -> SIMD16<Float> {
      let (factors, addends): (Numbers, Numbers) = (load(factors), load(factors + 16))
      return _mm512_cvtepi32_ps(cast(sums)) * factors + addends
    }

    /// Sixteen floats from a block.
    @inlinable @inline(__always)
    public static func numbers(
      _ source: UnsafeRawPointer, offsets: UnsafePointer<Int>
    ) -> SIMD16<Float> {
      load(source + offsets[0])
    }

    /// Sixteen floats to a block.
    @inlinable @inline(__always)
    public static func store(
      _ numbers: SIMD16<Float>, _ target: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>
    ) {
      (target + offsets[0]).storeBytes(of: numbers, as: SIMD16<Float>.self)
    }

    /// The floats times a factor, clamped to −127 ... 127 and rounded half away from zero.
    @inlinable @inline(__always)
    public static func wholeNumbers(
      _ numbers: SIMD16<Float>, times factor: Float
    ) -> SIMD16<Float> {
      // Where a number is NaN, the instructions return their second operand.
      let clamped = _mm512_min_ps(
        _mm512_max_ps(numbers * factor, SIMD16(repeating: -127)), SIMD16(repeating: 127))
      let bits: SIMD16<UInt32> = cast(clamped)
      let half = bits & 0x8000_0000 | SIMD16(repeating: almostHalf.bitPattern)
      return _mm512_cvtepi32_ps(_mm512_cvttps_epi32(clamped + cast(half)))
    }

    /// Rounds four pixels' floats.
    @inlinable @inline(__always)
    public static func rounded(
      _ a: SIMD16<Float>, _ b: SIMD16<Float>, _ c: SIMD16<Float>, _ d: SIMD16<Float>
    ) -> Bytes {
      ordered(_mm512_packs_epi16(integers(a, b), integers(c, d)))
    }

    /// Two pixels' floats as 16-bit integers.
    @inlinable @inline(__always)
    public static func integers(_ a: SIMD16<Float>, _ b: SIMD16<Float>) -> Bytes {
      _mm512_packs_epi32(_mm512_cvtps_epi32(a), _mm512_cvtps_epi32(b))
    }

    /// Packing works within 128 bits, which leaves the pixels' quads of channels interleaved.
    @inlinable @inline(__always)
    public static func ordered(_ packed: Bytes) -> Bytes {
      let order = SIMD16<Int32>(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15)
      return _mm512_permutexvar_epi32(cast(order), packed)
    }

    /// The results of a curve at 16-bit places, in 256ths.
    @inlinable @inline(__always)
    public static func results(at places: Bytes, of curve: UnsafePointer<UInt8>) -> Bytes {
      let lines = _mm512_srli_epi16(places, 11)
      let values = _mm512_permutexvar_epi16(lines, bytes(curve))
      let slopes = _mm512_permutexvar_epi16(lines, bytes(curve + 64))
      let distances = _mm512_xor_si512(
        _mm512_slli_epi16(places, 5), cast(SIMD32<UInt16>(repeating: 0x8000)))
      return _mm512_add_epi16(values, _mm512_mulhi_epi16(distances, slopes))
    }

    /// The larger of each byte and `minimum`, plus `zero`.
    @inlinable @inline(__always)
    public static func raised(_ bytes: Bytes, to minimum: Int8, zero: UInt8) -> Bytes {
      _mm512_add_epi8(
        _mm512_max_epi8(bytes, cast(SIMD64(repeating: minimum))), cast(SIMD64(repeating: zero)))
    }
  }
#endif
