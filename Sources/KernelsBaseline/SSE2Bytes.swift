#if arch(x86_64)
  import _Builtin_intrinsics.intel
  import Kernels

  /// SSE2's arithmetic of bytes, which are widened to 16 bits first.
  enum SSE2Bytes: ByteInstructionSet {
    typealias Vector = SIMD2<Int64>
    typealias Sums = Four<SIMD4<Int32>>
    typealias Numbers = Four<SIMD4<Float>>
    typealias Bytes = Four<Vector>
    typealias WidePair = QuartetPair<SSE2Bytes>
    typealias WideSingle = Quartet<SSE2Bytes>

    /// Four registers.
    struct Four<Part> {
      var a, b, c, d: Part
    }

    static var lanes: Int { 4 }

    @inline(__always)
    static func store(_ bytes: Bytes, _ target: UnsafeMutableRawPointer, pixels: Int) {
      target.storeBytes(of: bytes.a, as: Vector.self)
      if pixels > 1 { (target + 16).storeBytes(of: bytes.b, as: Vector.self) }
      if pixels > 2 { (target + 32).storeBytes(of: bytes.c, as: Vector.self) }
      if pixels > 3 { (target + 48).storeBytes(of: bytes.d, as: Vector.self) }
    }

    @inline(__always)
    static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums {
      Four(
        a: sums.a &+ products(values.a, weights.a), b: sums.b &+ products(values.b, weights.b),
        c: sums.c &+ products(values.c, weights.c), d: sums.d &+ products(values.d, weights.d))
    }

    @inline(__always)
    static func addProducts(_ sums: Sums, quad: UInt32, weights: Bytes) -> Sums {
      let vector: Vector = cast(SIMD4(repeating: quad))
      return addProducts(sums, Four(a: vector, b: vector, c: vector, d: vector), weights)
    }

    /// The sums of four channels' four products.
    @inline(__always)
    private static func products(_ values: Vector, _ weights: Vector) -> SIMD4<Int32> {
      let low = _mm_madd_epi16(
        _mm_unpacklo_epi8(values, .zero), _mm_srai_epi16(_mm_unpacklo_epi8(weights, weights), 8))
      let high = _mm_madd_epi16(
        _mm_unpackhi_epi8(values, .zero), _mm_srai_epi16(_mm_unpackhi_epi8(weights, weights), 8))
      let sums = SIMD8<Int32>(lowHalf: cast(low), highHalf: cast(high))
      return sums.evenHalf &+ sums.oddHalf
    }

    @inline(__always)
    static func numbers(_ sums: Sums, factors: UnsafePointer<Float>) -> Numbers {
      let source = UnsafeRawPointer(factors)
      let (factors, addends): (Numbers, Numbers) = (load(source), load(source + 64))
      return Four(
        a: _mm_cvtepi32_ps(cast(sums.a)) * factors.a + addends.a,
        b: _mm_cvtepi32_ps(cast(sums.b)) * factors.b + addends.b,
        c: _mm_cvtepi32_ps(cast(sums.c)) * factors.c + addends.c,
        d: _mm_cvtepi32_ps(cast(sums.d)) * factors.d + addends.d)
    }

    @inline(__always)
    static func numbers(_ source: UnsafeRawPointer, offsets: UnsafePointer<Int>) -> Numbers {
      Four(
        a: load(source + offsets[0]), b: load(source + offsets[1]), c: load(source + offsets[2]),
        d: load(source + offsets[3]))
    }

    @inline(__always)
    static func store(
      _ numbers: Numbers, _ target: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>
    ) {
      (target + offsets[0]).storeBytes(of: numbers.a, as: SIMD4<Float>.self)
      (target + offsets[1]).storeBytes(of: numbers.b, as: SIMD4<Float>.self)
      (target + offsets[2]).storeBytes(of: numbers.c, as: SIMD4<Float>.self)
      (target + offsets[3]).storeBytes(of: numbers.d, as: SIMD4<Float>.self)
    }

    @inline(__always)
    static func clamped(_ numbers: Numbers, times factor: Float) -> Numbers {
      @inline(__always)
      func clamped(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
        // Where a number is NaN, the instructions return their second operand.
        _mm_min_ps(_mm_max_ps(numbers * factor, SIMD4(repeating: -127)), SIMD4(repeating: 127))
      }
      return Four(
        a: clamped(numbers.a), b: clamped(numbers.b), c: clamped(numbers.c),
        d: clamped(numbers.d))
    }

    @inline(__always)
    static func rounded(_ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers) -> Bytes {
      @inline(__always)
      func packed(_ numbers: Numbers) -> Vector {
        _mm_packs_epi16(
          _mm_packs_epi32(_mm_cvtps_epi32(numbers.a), _mm_cvtps_epi32(numbers.b)),
          _mm_packs_epi32(_mm_cvtps_epi32(numbers.c), _mm_cvtps_epi32(numbers.d)))
      }
      return Four(a: packed(a), b: packed(b), c: packed(c), d: packed(d))
    }

    @inline(__always)
    static func raised(_ bytes: Bytes, to minimum: Int8, zero: UInt8) -> Bytes {
      // SSE2 compares unsigned bytes only.
      let sign: Vector = cast(SIMD16<UInt8>(repeating: 128))
      let low: Vector = cast(SIMD16(repeating: UInt8(bitPattern: minimum) ^ 128))
      let shift: Vector = cast(SIMD16(repeating: zero &+ 128))
      @inline(__always)
      func raised(_ bytes: Vector) -> Vector {
        _mm_add_epi8(_mm_max_epu8(bytes ^ sign, low), shift)
      }
      return Four(
        a: raised(bytes.a), b: raised(bytes.b), c: raised(bytes.c), d: raised(bytes.d))
    }

    @inline(__always)
    static func results(
      _ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers, of curve: UnsafePointer<UInt8>
    ) -> Bytes {
      @inline(__always)
      func results(_ numbers: Numbers) -> Vector {
        var places = (
          _mm_packs_epi32(_mm_cvtps_epi32(numbers.a), _mm_cvtps_epi32(numbers.b)),
          _mm_packs_epi32(_mm_cvtps_epi32(numbers.c), _mm_cvtps_epi32(numbers.d))
        )
        var results = Vector()
        withUnsafeBytes(of: &places) { places in
          withUnsafeMutableBytes(of: &results) { results in
            for index in 0..<16 {
              results[index] = ByteCurve.result(
                at: places.load(fromByteOffset: 2 &* index, as: Int16.self), of: curve)
            }
          }
        }
        return results
      }
      return Four(a: results(a), b: results(b), c: results(c), d: results(d))
    }

    @inline(__always)
    static func lookUp(_ places: Bytes, in table: UnsafePointer<UInt8>) -> Bytes {
      var entries = places
      withUnsafeMutableBytes(of: &entries) { bytes in
        for index in 0..<64 { bytes[index] = table[Int(bytes[index])] }
      }
      return entries
    }

    @inline(__always)
    static func transposed(_ pixels: Bytes) -> Bytes {
      let first = _mm_unpacklo_epi8(pixels.a, pixels.b)
      let second = _mm_unpackhi_epi8(pixels.a, pixels.b)
      let third = _mm_unpacklo_epi8(pixels.c, pixels.d)
      let fourth = _mm_unpackhi_epi8(pixels.c, pixels.d)
      return Four(
        a: _mm_unpacklo_epi16(first, third), b: _mm_unpackhi_epi16(first, third),
        c: _mm_unpacklo_epi16(second, fourth), d: _mm_unpackhi_epi16(second, fourth))
    }
  }
#endif
