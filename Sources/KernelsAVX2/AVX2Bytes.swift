// SPDX-License-Identifier: Apache-2.0
#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import YOLOFaceKernels

  /// AVX2's arithmetic of bytes, which adds pairs of products in 16 bits.
  enum AVX2Bytes: ByteInstructionSet {
    typealias Vector = SIMD4<Int64>
    typealias Sums = (SIMD8<Int32>, SIMD8<Int32>)
    typealias Numbers = (SIMD8<Float>, SIMD8<Float>)
    typealias Bytes = (Vector, Vector)
    typealias WidePair = QuartetPair<AVX2Bytes>
    typealias WideSingle = Quartet<AVX2Bytes>

    static var lanes: Int { 8 }
    static var arithmetic: ByteArithmetic { ByteArithmetic(addsInSixteenBits: true) }

    @inline(__always)
    static func store(_ bytes: Bytes, _ target: UnsafeMutableRawPointer, pixels: Int) {
      let low: SIMD2<Int64> = _mm256_castsi256_si128(pixels > 2 ? bytes.1 : bytes.0)
      if pixels > 1 {
        target.storeBytes(of: bytes.0, as: Vector.self)
      } else {
        target.storeBytes(of: low, as: SIMD2<Int64>.self)
      }
      if pixels == 3 { (target + 32).storeBytes(of: low, as: SIMD2<Int64>.self) }
      if pixels == 4 { (target + 32).storeBytes(of: bytes.1, as: Vector.self) }
    }

    @inline(__always)
    static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums {
      (
        add(sums.0, _mm256_maddubs_epi16(values.0, weights.0)),
        add(sums.1, _mm256_maddubs_epi16(values.1, weights.1))
      )
    }

    @inline(__always)
    static func addProducts(_ sums: Sums, quad: UInt32, weights: Bytes) -> Sums {
      let vector: Vector = cast(SIMD8(repeating: quad))
      return addProducts(sums, (vector, vector), weights)
    }

    @inline(__always)
    static func addProducts(
      _ sums: Sums, quads: (UInt32, UInt32), weights: (Bytes, Bytes)
    ) -> Sums {
      let first: Vector = cast(SIMD8(repeating: quads.0))
      let second: Vector = cast(SIMD8(repeating: quads.1))
      return (
        add(sums.0, products(first, weights.0.0, second, weights.1.0)),
        add(sums.1, products(first, weights.0.1, second, weights.1.1))
      )
    }

    /// Sums of four products.
    @inline(__always)
    private static func products(
      _ first: Vector, _ firstWeights: Vector, _ second: Vector, _ secondWeights: Vector
    ) -> Vector {
      _mm256_add_epi16(
        _mm256_maddubs_epi16(first, firstWeights), _mm256_maddubs_epi16(second, secondWeights))
    }

    /// Adds pairs of 16-bit sums.
    @inline(__always)
    private static func add(_ sums: SIMD8<Int32>, _ pairs: Vector) -> SIMD8<Int32> {
      sums &+ cast(_mm256_madd_epi16(pairs, cast(SIMD16<Int16>(repeating: 1))))
    }

    @inline(__always)
    static func numbers(_ sums: Sums, factors: UnsafePointer<Float>) -> Numbers {
      let source = UnsafeRawPointer(factors)
      let (factors, addends): (Numbers, Numbers) = (load(source), load(source + 64))
      return (
        _mm256_cvtepi32_ps(cast(sums.0)) * factors.0 + addends.0,
        _mm256_cvtepi32_ps(cast(sums.1)) * factors.1 + addends.1
      )
    }

    @inline(__always)
    static func numbers(_ source: UnsafeRawPointer, offsets: UnsafePointer<Int>) -> Numbers {
      (load(source + offsets[0]), load(source + offsets[1]))
    }

    @inline(__always)
    static func store(
      _ numbers: Numbers, _ target: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>
    ) {
      (target + offsets[0]).storeBytes(of: numbers.0, as: SIMD8<Float>.self)
      (target + offsets[1]).storeBytes(of: numbers.1, as: SIMD8<Float>.self)
    }

    @inline(__always)
    static func wholeNumbers(_ numbers: Numbers, times factor: Float) -> Numbers {
      @inline(__always)
      func whole(_ numbers: SIMD8<Float>) -> SIMD8<Float> {
        // Where a number is NaN, the instructions return their second operand.
        let clamped = _mm256_min_ps(
          _mm256_max_ps(numbers * factor, SIMD8(repeating: -127)), SIMD8(repeating: 127))
        let sign = _mm256_and_ps(clamped, SIMD8(repeating: -0.0))
        let half = _mm256_or_ps(sign, SIMD8(repeating: almostHalf))
        return _mm256_cvtepi32_ps(_mm256_cvttps_epi32(clamped + half))
      }
      return (whole(numbers.0), whole(numbers.1))
    }

    @inline(__always)
    static func rounded(_ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers) -> Bytes {
      (
        ordered(_mm256_packs_epi16(integers(a), integers(b))),
        ordered(_mm256_packs_epi16(integers(c), integers(d)))
      )
    }

    /// A pixel's floats as 16-bit integers.
    @inline(__always)
    private static func integers(_ numbers: Numbers) -> Vector {
      _mm256_packs_epi32(_mm256_cvtps_epi32(numbers.0), _mm256_cvtps_epi32(numbers.1))
    }

    /// Packing works within 128 bits, which leaves the pixels' quads of channels interleaved.
    @inline(__always)
    private static func ordered(_ packed: Vector) -> Vector {
      let order: Vector = cast(SIMD8<Int32>(0, 4, 1, 5, 2, 6, 3, 7))
      return _mm256_permutevar8x32_epi32(packed, order)
    }

    @inline(__always)
    static func results(
      _ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers, of curve: UnsafePointer<UInt8>
    ) -> Bytes {
      (
        ordered(results(integers(a), integers(b), of: curve)),
        ordered(results(integers(c), integers(d), of: curve))
      )
    }

    /// Finds the bytes of values and slopes by the numbers of both registers' lines.
    @inline(__always)
    private static func results(
      _ first: Vector, _ second: Vector, of curve: UnsafePointer<UInt8>
    ) -> Vector {
      let lines = _mm256_packus_epi16(_mm256_srli_epi16(first, 11), _mm256_srli_epi16(second, 11))
      let isUpper = _mm256_slli_epi16(lines, 3)
      @inline(__always)
      func bytes(_ offset: Int) -> Vector {
        _mm256_blendv_epi8(
          _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load(curve + offset)), lines),
          _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load(curve + offset + 16)), lines),
          isUpper)
      }
      let values = (bytes(128), bytes(160))
      let slopes = (bytes(192), bytes(224))
      @inline(__always)
      func results(_ places: Vector, _ value: Vector, _ slope: Vector) -> Vector {
        let distances = _mm256_xor_si256(
          _mm256_slli_epi16(places, 5), cast(SIMD16<UInt16>(repeating: 0x8000)))
        return _mm256_srli_epi16(_mm256_add_epi16(value, _mm256_mulhi_epi16(distances, slope)), 8)
      }
      return _mm256_packus_epi16(
        results(
          first, _mm256_unpacklo_epi8(values.0, values.1), _mm256_unpacklo_epi8(slopes.0, slopes.1)),
        results(
          second, _mm256_unpackhi_epi8(values.0, values.1), _mm256_unpackhi_epi8(slopes.0, slopes.1)
        ))
    }

    @inline(__always)
    static func raised(_ bytes: Bytes, to minimum: Int8, zero: UInt8) -> Bytes {
      let low: Vector = cast(SIMD32(repeating: minimum))
      let zeros: Vector = cast(SIMD32(repeating: zero))
      return (
        _mm256_add_epi8(_mm256_max_epi8(bytes.0, low), zeros),
        _mm256_add_epi8(_mm256_max_epi8(bytes.1, low), zeros)
      )
    }

    @inline(__always)
    static func lookUp(_ places: Bytes, in table: UnsafePointer<UInt8>) -> Bytes {
      (entries(places.0, of: table), entries(places.1, of: table))
    }

    /// Looks up the low four bits in each sixteenth of the table, and chooses by the high ones.
    @inline(__always)
    private static func entries(_ places: Vector, of table: UnsafePointer<UInt8>) -> Vector {
      let low = _mm256_and_si256(places, cast(SIMD32<UInt8>(repeating: 15)))
      let bit6 = _mm256_add_epi8(places, places)
      let bit5 = _mm256_add_epi8(bit6, bit6)
      let bit4 = _mm256_add_epi8(bit5, bit5)
      @inline(__always)
      func sixteenth(_ index: Int) -> Vector {
        _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(load(table + 16 &* index)), low)
      }
      @inline(__always)
      func eighth(_ index: Int) -> Vector {
        _mm256_blendv_epi8(sixteenth(2 &* index), sixteenth(2 &* index &+ 1), bit4)
      }
      @inline(__always)
      func quarter(_ index: Int) -> Vector {
        _mm256_blendv_epi8(eighth(2 &* index), eighth(2 &* index &+ 1), bit5)
      }
      return _mm256_blendv_epi8(
        _mm256_blendv_epi8(quarter(0), quarter(1), bit6),
        _mm256_blendv_epi8(quarter(2), quarter(3), bit6), places)
    }

    @inline(__always)
    static func transposed(_ pixels: Bytes) -> Bytes {
      // Brings the first and third quad of channels of both pixels to the low 128 bits.
      let order: Vector = cast(SIMD8<Int32>(0, 4, 2, 6, 1, 5, 3, 7))
      let first = _mm256_permutevar8x32_epi32(pixels.0, order)
      let second = _mm256_permutevar8x32_epi32(pixels.1, order)
      let bytes: Vector = cast(
        SIMD32<UInt8>(
          0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
          0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15))
      return (
        _mm256_shuffle_epi8(_mm256_unpacklo_epi64(first, second), bytes),
        _mm256_shuffle_epi8(_mm256_unpackhi_epi64(first, second), bytes)
      )
    }
  }
#endif
