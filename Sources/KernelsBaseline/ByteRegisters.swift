// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

#if arch(x86_64)
  import _Builtin_intrinsics.intel
#elseif arch(arm64)
  import _Builtin_intrinsics.arm.neon
#elseif arch(wasm32)
  import WASMIntrinsics
#endif

/// What `BaselineBytes` needs of registers of 16 bytes beyond what Swift's vectors compile to.
package protocol ByteRegisters: SendableMetatype {
  /// A quad of a convolution's weights for each of four channels, see `ByteInstructionSet`.
  associatedtype Weights
  /// What packing must know of the products.
  static var arithmetic: ByteArithmetic { get }
  /// Weights from memory.
  static func weights(_ source: UnsafeRawPointer) -> Weights
  /// Adds to the sums of four channels the products of a quad each, of unsigned values and signed weights.
  static func addProducts(
    _ sums: SIMD4<Int32>, _ values: SIMD16<UInt8>, _ weights: Weights
  ) -> SIMD4<Int32>
  /// The same with weights of a byte each.
  static func addProducts(
    _ sums: SIMD4<Int32>, _ values: SIMD16<UInt8>, _ weights: SIMD16<UInt8>
  ) -> SIMD4<Int32>
  /// The sums of the products of lanes 0 and 1, 2 and 3, and so on, of two vectors and of two more.
  static func products(
    _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ c: SIMD8<Int16>, _ d: SIMD8<Int16>
  ) -> SIMD4<Int32>
  /// The integers as floats.
  static func floats(_ integers: SIMD4<Int32>) -> SIMD4<Float>
  /// The floats clamped to −127 ... 127; −127 for NaN.
  static func clamped(_ numbers: SIMD4<Float>) -> SIMD4<Float>
  /// The floats, from −128 to 128, without their fractions.
  static func truncated(_ numbers: SIMD4<Float>) -> SIMD4<Float>
  /// The floats, less than 2³¹, rounded to the nearest integer, or the even one of two, and clamped to
  /// −32768 ... 32767.
  static func integers(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD8<Int16>
  /// The integers clamped to −128 ... 127.
  static func narrowed(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8>
  /// The upper halves of the products.
  static func upperProducts(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16>
  /// The upper bytes of one vector's integers, then of another's.
  static func upperBytes(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD16<UInt8>
  /// Pairs of bytes of one vector and another in turns.
  static func interleavedPairs(
    _ even: SIMD16<UInt8>, _ odd: SIMD16<UInt8>
  ) -> (low: SIMD16<UInt8>, high: SIMD16<UInt8>)
  /// The values of a `ByteCurve` in memory on lines from 0 to 31, or, from 64 bytes on, its slopes.
  static func words(
    at lines: SIMD16<UInt8>, of curve: UnsafePointer<UInt8>
  ) -> (low: SIMD8<UInt16>, high: SIMD8<UInt16>)
}

/// The weights of four channels' quads in 16 bits.
@frozen package struct WideWeights {
  /// The weights 0 and 2 of each quad, and 1 and 3.
  @usableFromInline var even, odd: SIMD8<Int16>

  @inlinable @inline(__always)
  init(even: SIMD8<Int16>, odd: SIMD8<Int16>) { (self.even, self.odd) = (even, odd) }
}

extension ByteRegisters where Weights == WideWeights {
  @inlinable @inline(__always)
  package static var arithmetic: ByteArithmetic { ByteArithmetic(widensWeights: true) }

  @inlinable @inline(__always)
  package static func weights(_ source: UnsafeRawPointer) -> WideWeights {
    // In WebAssembly, a vector of 16 bits would be loaded in halves.
    let even = source.loadUnaligned(as: SIMD4<UInt32>.self)
    let odd = source.loadUnaligned(fromByteOffset: 16, as: SIMD4<UInt32>.self)
    return WideWeights(even: cast(even), odd: cast(odd))
  }

  /// Adds products in 16 bits: of the bytes 0 and 2 of a quad, which are the low halves of two numbers of 16 bits,
  /// and of its bytes 1 and 3, the high halves.
  @inlinable @inline(__always)
  package static func addProducts(
    _ sums: SIMD4<Int32>, _ values: SIMD16<UInt8>, _ weights: WideWeights
  ) -> SIMD4<Int32> {
    let values: SIMD8<UInt16> = cast(values)
    return sums &+ products(cast(values & 0xFF), weights.even, cast(values &>> 8), weights.odd)
  }

  @inlinable @inline(__always)
  package static func addProducts(
    _ sums: SIMD4<Int32>, _ values: SIMD16<UInt8>, _ weights: SIMD16<UInt8>
  ) -> SIMD4<Int32> {
    let weights: SIMD8<Int16> = cast(weights)
    return addProducts(sums, values, WideWeights(even: (weights &<< 8) &>> 8, odd: weights &>> 8))
  }
}

extension ByteRegisters {
  @inlinable @inline(__always)
  package static func upperProducts(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
    let products = SIMD8<Int32>(truncatingIfNeeded: a) &* SIMD8<Int32>(truncatingIfNeeded: b)
    return SIMD8(truncatingIfNeeded: products &>> 16)
  }

  @inlinable @inline(__always)
  package static func upperBytes(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD16<UInt8> {
    SIMD16(
      lowHalf: SIMD8(truncatingIfNeeded: a &>> 8), highHalf: SIMD8(truncatingIfNeeded: b &>> 8))
  }

  @inlinable @inline(__always)
  package static func interleavedPairs(
    _ even: SIMD16<UInt8>, _ odd: SIMD16<UInt8>
  ) -> (low: SIMD16<UInt8>, high: SIMD16<UInt8>) {
    let (even, odd): (SIMD8<UInt16>, SIMD8<UInt16>) = (cast(even), cast(odd))
    var (low, high) = (SIMD8<UInt16>(), SIMD8<UInt16>())
    (low.evenHalf, low.oddHalf) = (even.lowHalf, odd.lowHalf)
    (high.evenHalf, high.oddHalf) = (even.highHalf, odd.highHalf)
    return (cast(low), cast(high))
  }
}

#if arch(x86_64)
  /// SSE2's.
  enum ArchitectureRegisters: ByteRegisters {
    typealias Weights = WideWeights

    @inline(__always)
    static func products(
      _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ c: SIMD8<Int16>, _ d: SIMD8<Int16>
    ) -> SIMD4<Int32> {
      cast(_mm_add_epi32(_mm_madd_epi16(cast(a), cast(b)), _mm_madd_epi16(cast(c), cast(d))))
    }

    @inline(__always)
    static func floats(_ integers: SIMD4<Int32>) -> SIMD4<Float> { _mm_cvtepi32_ps(cast(integers)) }

    @inline(__always)
    static func clamped(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
      // Where a number is NaN, the instructions return their second operand.
      _mm_min_ps(_mm_max_ps(numbers, SIMD4(repeating: -127)), SIMD4(repeating: 127))
    }

    @inline(__always)
    static func truncated(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
      _mm_cvtepi32_ps(_mm_cvttps_epi32(numbers))
    }

    @inline(__always)
    static func integers(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD8<Int16> {
      cast(_mm_packs_epi32(_mm_cvtps_epi32(a), _mm_cvtps_epi32(b)))
    }

    @inline(__always)
    static func narrowed(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
      cast(_mm_packs_epi16(cast(a), cast(b)))
    }

    @inline(__always)
    static func upperProducts(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
      cast(_mm_mulhi_epi16(cast(a), cast(b)))
    }

    @inline(__always)
    static func words(
      at lines: SIMD16<UInt8>, of curve: UnsafePointer<UInt8>
    ) -> (low: SIMD8<UInt16>, high: SIMD8<UInt16>) {
      let words = UnsafeRawPointer(curve)
      var (low, high) = (SIMD8<UInt16>(), SIMD8<UInt16>())
      for index in 0..<8 {
        low[index] = words.loadUnaligned(fromByteOffset: 2 &* Int(lines[index]), as: UInt16.self)
        high[index] = words.loadUnaligned(
          fromByteOffset: 2 &* Int(lines[8 &+ index]), as: UInt16.self)
      }
      return (low, high)
    }
  }
#elseif arch(arm64)
  /// NEON's.
  package protocol NEONRegisters: ByteRegisters {}

  extension NEONRegisters {
    @inlinable @inline(__always)
    package static func products(
      _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ c: SIMD8<Int16>, _ d: SIMD8<Int16>
    ) -> SIMD4<Int32> {
      vpaddq_s32(
        vmlal_s16(vmull_s16(a.lowHalf, b.lowHalf), c.lowHalf, d.lowHalf),
        vmlal_high_s16(vmull_high_s16(a, b), c, d))
    }

    @inlinable @inline(__always)
    package static func floats(_ integers: SIMD4<Int32>) -> SIMD4<Float> { vcvtq_f32_s32(integers) }

    @inlinable @inline(__always)
    package static func clamped(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
      // The number of two, where the other is NaN.
      vminq_f32(vmaxnmq_f32(numbers, SIMD4(repeating: -127)), SIMD4(repeating: 127))
    }

    @inlinable @inline(__always)
    package static func truncated(_ numbers: SIMD4<Float>) -> SIMD4<Float> { vrndq_f32(numbers) }

    @inlinable @inline(__always)
    package static func integers(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD8<Int16> {
      vqmovn_high_s32(vqmovn_s32(vcvtnq_s32_f32(a)), vcvtnq_s32_f32(b))
    }

    @inlinable @inline(__always)
    package static func narrowed(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
      cast(vqmovn_high_s16(vqmovn_s16(a), b))
    }

    @inlinable @inline(__always)
    package static func words(
      at lines: SIMD16<UInt8>, of curve: UnsafePointer<UInt8>
    ) -> (low: SIMD8<UInt16>, high: SIMD8<UInt16>) {
      cast(interleaved(entries(at: lines, of: curve + 128), entries(at: lines, of: curve + 160)))
    }

    @inlinable @inline(__always)
    static func entries(at places: SIMD16<UInt8>, of table: UnsafePointer<UInt8>) -> SIMD16<UInt8> {
      let table = UnsafeRawPointer(table)
      let halves = (
        table.loadUnaligned(as: SIMD16<UInt8>.self),
        (table + 16).loadUnaligned(as: SIMD16<UInt8>.self)
      )
      return vqtbl2q_u8(uint8x16x2_t(val: halves), places)
    }
  }

  enum ArchitectureRegisters: NEONRegisters {
    typealias Weights = WideWeights
  }
#elseif arch(wasm32)
  /// WebAssembly's.
  enum ArchitectureRegisters: ByteRegisters {
    typealias Weights = WideWeights

    @inline(__always)
    static func products(
      _ a: SIMD8<Int16>, _ b: SIMD8<Int16>, _ c: SIMD8<Int16>, _ d: SIMD8<Int16>
    ) -> SIMD4<Int32> {
      cast(
        wasm_i32x4_add(
          wasm_i32x4_dot_i16x8(cast(a), cast(b)), wasm_i32x4_dot_i16x8(cast(c), cast(d))))
    }

    @inline(__always)
    static func floats(_ integers: SIMD4<Int32>) -> SIMD4<Float> {
      cast(wasm_f32x4_convert_i32x4(cast(integers)))
    }

    @inline(__always)
    static func clamped(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
      // The first operand, where a comparison with the second is false.
      let least: SIMD4<Float> = SIMD4(repeating: -127)
      let raised = wasm_f32x4_pmax(cast(least), cast(numbers))
      return cast(wasm_f32x4_pmin(raised, cast(-least)))
    }

    @inline(__always)
    static func truncated(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
      cast(wasm_f32x4_trunc(cast(numbers)))
    }

    @inline(__always)
    static func integers(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD8<Int16> {
      // The sum with 1.5 · 2²³ is rounded to an integer, whose lower bits are those of the float.
      @inline(__always)
      func rounded(_ numbers: SIMD4<Float>) -> v128_t {
        let low: SIMD4<Float> = SIMD4(repeating: -32768)
        let high: SIMD4<Float> = SIMD4(repeating: 32767)
        let clamped: SIMD4<Float> = cast(
          wasm_f32x4_pmin(wasm_f32x4_pmax(cast(numbers), cast(low)), cast(high)))
        return cast(clamped + SIMD4(repeating: 0x1.8p23))
      }
      return cast(lower_halves(rounded(a), rounded(b)))
    }

    @inline(__always)
    static func narrowed(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD16<UInt8> {
      cast(wasm_i8x16_narrow_i16x8(cast(a), cast(b)))
    }

    @inline(__always)
    static func words(
      at lines: SIMD16<UInt8>, of curve: UnsafePointer<UInt8>
    ) -> (low: SIMD8<UInt16>, high: SIMD8<UInt16>) {
      cast(interleaved(entries(at: lines, of: curve + 128), entries(at: lines, of: curve + 160)))
    }

    @inline(__always)
    static func upperProducts(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD8<Int16> {
      cast(upper_products(cast(a), cast(b)))
    }

    @inline(__always)
    static func upperBytes(_ a: SIMD8<UInt16>, _ b: SIMD8<UInt16>) -> SIMD16<UInt8> {
      cast(upper_bytes(cast(a), cast(b)))
    }

    @inline(__always)
    static func interleavedPairs(
      _ even: SIMD16<UInt8>, _ odd: SIMD16<UInt8>
    ) -> (low: SIMD16<UInt8>, high: SIMD16<UInt8>) {
      (
        cast(lower_pairs_in_turns(cast(even), cast(odd))),
        cast(upper_pairs_in_turns(cast(even), cast(odd)))
      )
    }

    /// A place beyond the table of 16 gives 0.
    @inline(__always)
    private static func entries(
      at places: SIMD16<UInt8>, of table: UnsafePointer<UInt8>
    ) -> SIMD16<UInt8> {
      let table = UnsafeRawPointer(table)
      let further = places &- SIMD16(repeating: 16)
      return cast(
        wasm_v128_or(
          wasm_i8x16_swizzle(wasm_v128_load(table), cast(places)),
          wasm_i8x16_swizzle(wasm_v128_load(table + 16), cast(further))))
    }
  }
#endif
