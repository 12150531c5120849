// SPDX-License-Identifier: Apache-2.0
import YOLOFaceKernels

/// Arithmetic of bytes in registers of 16.
package enum BaselineBytes<Registers: ByteRegisters>: ByteInstructionSet {
  /// Four channels' sums in each register.
  package typealias Sums = FourRegisters<SIMD4<Int32>>
  /// Four floats in each register.
  package typealias Numbers = FourRegisters<SIMD4<Float>>
  /// Sixteen bytes in each register.
  package typealias Bytes = FourRegisters<SIMD16<UInt8>>
  /// Four channels' weights in each part.
  package typealias Weights = FourRegisters<Registers.Weights>
  /// A tile of two blocks.
  package typealias WidePair = QuartetPair<BaselineBytes>
  /// A tile of one block.
  package typealias WideSingle = Quartet<BaselineBytes>

  @inlinable @inline(__always)
  package static var lanes: Int { 4 }

  @inlinable @inline(__always)
  package static var arithmetic: ByteArithmetic { Registers.arithmetic }

  @inlinable @inline(__always)
  package static func sums(_ source: UnsafePointer<Int32>) -> Sums { quarters(source) }

  @inlinable @inline(__always)
  package static func bytes(_ source: UnsafeRawPointer) -> Bytes {
    // In WebAssembly, a vector of bytes would be loaded in halves.
    let words: FourRegisters<SIMD4<UInt32>> = quarters(source)
    return FourRegisters(a: cast(words.a), b: cast(words.b), c: cast(words.c), d: cast(words.d))
  }

  @inlinable @inline(__always)
  package static func weights(_ source: UnsafeRawPointer) -> Weights {
    let size = MemoryLayout<Registers.Weights>.size
    return FourRegisters(
      a: Registers.weights(source), b: Registers.weights(source + size),
      c: Registers.weights(source + 2 &* size), d: Registers.weights(source + 3 &* size))
  }

  /// Four registers from memory.
  @inlinable @inline(__always)
  static func quarters<Register>(_ source: UnsafeRawPointer) -> FourRegisters<Register> {
    FourRegisters(a: load(source), b: load(source + 16), c: load(source + 32), d: load(source + 48))
  }

  @inlinable @inline(__always)
  package static func store(_ bytes: Bytes, _ target: UnsafeMutableRawPointer, pixels: Int) {
    target.storeBytes(of: bytes.a, as: SIMD16<UInt8>.self)
    if pixels > 1 { (target + 16).storeBytes(of: bytes.b, as: SIMD16<UInt8>.self) }
    if pixels > 2 { (target + 32).storeBytes(of: bytes.c, as: SIMD16<UInt8>.self) }
    if pixels > 3 { (target + 48).storeBytes(of: bytes.d, as: SIMD16<UInt8>.self) }
  }

  @inlinable @inline(__always)
  package static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums {
    FourRegisters(
      a: Registers.addProducts(sums.a, values.a, weights.a),
      b: Registers.addProducts(sums.b, values.b, weights.b),
      c: Registers.addProducts(sums.c, values.c, weights.c),
      d: Registers.addProducts(sums.d, values.d, weights.d))
  }

  @inlinable @inline(__always)
  package static func addProducts(_ sums: Sums, quad: UInt32, weights: Weights) -> Sums {
    let values: SIMD16<UInt8> = cast(SIMD4(repeating: quad))
    return FourRegisters(
      a: Registers.addProducts(sums.a, values, weights.a),
      b: Registers.addProducts(sums.b, values, weights.b),
      c: Registers.addProducts(sums.c, values, weights.c),
      d: Registers.addProducts(sums.d, values, weights.d))
  }

  @inlinable @inline(__always)
  package static func numbers(_ sums: Sums, factors: UnsafePointer<Float>) -> Numbers {
    let source = UnsafeRawPointer(factors)
    let (factors, addends): (Numbers, Numbers) = (quarters(source), quarters(source + 64))
    return FourRegisters(
      a: Registers.floats(sums.a) * factors.a + addends.a,
      b: Registers.floats(sums.b) * factors.b + addends.b,
      c: Registers.floats(sums.c) * factors.c + addends.c,
      d: Registers.floats(sums.d) * factors.d + addends.d)
  }

  @inlinable @inline(__always)
  package static func numbers(_ source: UnsafeRawPointer, offsets: UnsafePointer<Int>) -> Numbers {
    FourRegisters(
      a: load(source + offsets[0]), b: load(source + offsets[1]), c: load(source + offsets[2]),
      d: load(source + offsets[3]))
  }

  @inlinable @inline(__always)
  package static func store(
    _ numbers: Numbers, _ target: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>
  ) {
    (target + offsets[0]).storeBytes(of: numbers.a, as: SIMD4<Float>.self)
    (target + offsets[1]).storeBytes(of: numbers.b, as: SIMD4<Float>.self)
    (target + offsets[2]).storeBytes(of: numbers.c, as: SIMD4<Float>.self)
    (target + offsets[3]).storeBytes(of: numbers.d, as: SIMD4<Float>.self)
  }

  @inlinable @inline(__always)
  package static func wholeNumbers(_ numbers: Numbers, times factor: Float) -> Numbers {
    @inline(__always)
    func whole(_ numbers: SIMD4<Float>) -> SIMD4<Float> {
      let clamped = Registers.clamped(numbers * factor)
      let sign = (cast(clamped) as SIMD4<UInt32>) & 0x8000_0000
      return Registers.truncated(clamped + cast(sign | SIMD4(repeating: almostHalf.bitPattern)))
    }
    return FourRegisters(
      a: whole(numbers.a), b: whole(numbers.b), c: whole(numbers.c), d: whole(numbers.d))
  }

  @inlinable @inline(__always)
  package static func rounded(_ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers) -> Bytes {
    @inline(__always)
    func rounded(_ numbers: Numbers) -> SIMD16<UInt8> {
      Registers.narrowed(
        Registers.integers(numbers.a, numbers.b), Registers.integers(numbers.c, numbers.d))
    }
    return FourRegisters(a: rounded(a), b: rounded(b), c: rounded(c), d: rounded(d))
  }

  @inlinable @inline(__always)
  package static func raised(_ bytes: Bytes, to minimum: Int8, zero: UInt8) -> Bytes {
    @inline(__always)
    func raised(_ bytes: SIMD16<UInt8>) -> SIMD16<UInt8> {
      let signed: SIMD16<Int8> = cast(bytes)
      let low = SIMD16<Int8>(repeating: minimum)
      let raised: SIMD16<UInt8> = cast(signed.replacing(with: low, where: low .> signed))
      return raised &+ SIMD16(repeating: zero)
    }
    return FourRegisters(
      a: raised(bytes.a), b: raised(bytes.b), c: raised(bytes.c), d: raised(bytes.d))
  }

  @inlinable @inline(__always)
  package static func results(
    _ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers, of curve: UnsafePointer<UInt8>
  ) -> Bytes {
    @inline(__always)
    func results(_ numbers: Numbers) -> SIMD16<UInt8> {
      let low = Registers.integers(numbers.a, numbers.b)
      let high = Registers.integers(numbers.c, numbers.d)
      let lines = Registers.upperBytes(cast(low), cast(high)) &>> 3
      let values = Registers.words(at: lines, of: curve)
      let slopes = Registers.words(at: lines, of: curve + 64)
      return Registers.upperBytes(
        values.low &+ rises(low, cast(slopes.low)), values.high &+ rises(high, cast(slopes.high)))
    }
    return FourRegisters(a: results(a), b: results(b), c: results(c), d: results(d))
  }

  /// What places add to the values of their lines of a `ByteCurve`.
  @inlinable @inline(__always)
  static func rises(_ places: SIMD8<Int16>, _ slopes: SIMD8<Int16>) -> SIMD8<UInt16> {
    cast(Registers.upperProducts((places &<< 5) ^ SIMD8(repeating: .min), slopes))
  }

  @inlinable @inline(__always)
  package static func lookUp(_ places: Bytes, in table: UnsafePointer<UInt8>) -> Bytes {
    @inline(__always)
    func entries(_ places: SIMD16<UInt8>) -> SIMD16<UInt8> {
      var entries = places
      for index in 0..<16 { entries[index] = table[Int(places[index])] }
      return entries
    }
    return FourRegisters(
      a: entries(places.a), b: entries(places.b), c: entries(places.c), d: entries(places.d))
  }

  @inlinable @inline(__always)
  package static func transposed(_ pixels: Bytes) -> Bytes {
    let (first, second) = interleaved(pixels.a, pixels.b)
    let (third, fourth) = interleaved(pixels.c, pixels.d)
    let (low, high) = (
      Registers.interleavedPairs(first, third), Registers.interleavedPairs(second, fourth)
    )
    return FourRegisters(a: low.low, b: low.high, c: high.low, d: high.high)
  }
}

/// Bytes of one vector and another in turns.
@inlinable @inline(__always)
func interleaved(
  _ even: SIMD16<UInt8>, _ odd: SIMD16<UInt8>
) -> (low: SIMD16<UInt8>, high: SIMD16<UInt8>) {
  var (low, high) = (SIMD16<UInt8>(), SIMD16<UInt8>())
  (low.evenHalf, low.oddHalf) = (even.lowHalf, odd.lowHalf)
  (high.evenHalf, high.oddHalf) = (even.highHalf, odd.highHalf)
  return (low, high)
}

/// Four registers.
@frozen package struct FourRegisters<Register> {
  /// The registers.
  package var a, b, c, d: Register

  /// Four registers.
  @inlinable @inline(__always)
  package init(a: Register, b: Register, c: Register, d: Register) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
  }
}

extension ByteKernelTable {
  /// The int8 kernels for any processor of the architecture.
  package static let baseline = ByteKernelTable(BaselineBytes<ArchitectureRegisters>.self)
}
