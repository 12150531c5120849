// SPDX-License-Identifier: Apache-2.0

/// What the kernels for int8 need from an instruction set.
///
/// A blob in int8 is held as unsigned bytes, each a number plus the blob's zero, in blocks of 16
/// channels: rows × columns × 16. A quad is four neighbouring bytes.
public protocol ByteInstructionSet: SendableMetatype {
  /// Sixteen 32-bit sums of one pixel, one for each channel of a block.
  associatedtype Sums
  /// Sixteen floats of one pixel.
  associatedtype Numbers
  /// 64 bytes, signed or not: four pixels of a block, or a quad of weights for each of its channels.
  associatedtype Bytes
  /// A quad of a convolution's weights for each channel of a block: 64 bytes, or 64 numbers of 16 bits, for each
  /// four channels first their weights 0 and 2, then 1 and 3.
  associatedtype Weights
  /// The largest tile of two output blocks that fits in the registers.
  associatedtype WidePair: ByteTile where WidePair.Set == Self
  /// The largest tile of one output block.
  associatedtype WideSingle: ByteTile where WideSingle.Set == Self

  /// The fp32 lanes of one register, in which results leave as floats.
  static var lanes: Int { get }
  /// What packing must know of the products.
  static var arithmetic: ByteArithmetic { get }

  /// Sixteen sums from memory.
  static func sums(_ source: UnsafePointer<Int32>) -> Sums
  /// 64 bytes from memory.
  static func bytes(_ source: UnsafeRawPointer) -> Bytes
  /// A quad of weights for each channel from memory.
  static func weights(_ source: UnsafeRawPointer) -> Weights
  /// The first `pixels` of four pixels to memory.
  static func store(_ bytes: Bytes, _ target: UnsafeMutableRawPointer, pixels: Int)

  /// `sums[i] + Σⱼ values[4i + j] · weights[4i + j]` for j in 0 ..< 4, of unsigned values and signed
  /// weights.
  static func addProducts(_ sums: Sums, _ values: Bytes, _ weights: Bytes) -> Sums
  /// Adds the products of a quad with the weights of all sixteen channels.
  static func addProducts(_ sums: Sums, quad: UInt32, weights: Weights) -> Sums
  /// Adds the products of two quads; where `addsInSixteenBits`, faster than one after the other.
  static func addProducts(
    _ sums: Sums, quads: (UInt32, UInt32), weights: (Weights, Weights)
  ) -> Sums
  /// The sums as floats, each times its factor, and then plus its addend: 16 factors, then 16 addends. The product is
  /// rounded before the sum, so that all instruction sets give the same bits.
  static func numbers(_ sums: Sums, factors: UnsafePointer<Float>) -> Numbers
  /// Sixteen floats from blocks of `lanes`, whose distances from the address are given in bytes.
  static func numbers(_ source: UnsafeRawPointer, offsets: UnsafePointer<Int>) -> Numbers
  /// Sixteen floats to blocks of `lanes`.
  static func store(
    _ numbers: Numbers, _ target: UnsafeMutableRawPointer, offsets: UnsafePointer<Int>)
  /// The floats times a factor, clamped to −127 ... 127 and rounded half away from zero; −127 for NaN.
  static func wholeNumbers(_ numbers: Numbers, times factor: Float) -> Numbers
  /// Four pixels' floats, less than 2³¹, rounded to the nearest integer, or the even one of two, and
  /// clamped to −128 ... 127.
  static func rounded(_ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers) -> Bytes
  /// The larger of each signed byte and `minimum`, plus `zero`.
  static func raised(_ bytes: Bytes, to minimum: Int8, zero: UInt8) -> Bytes
  /// The results of a `ByteCurve` in memory at four pixels' floats, less than 2³¹, which are rounded to
  /// the nearest integer, or the even one of two, and clamped to −32768 ... 32767.
  static func results(
    _ a: Numbers, _ b: Numbers, _ c: Numbers, _ d: Numbers, of curve: UnsafePointer<UInt8>
  ) -> Bytes
  /// The entries of a table of 256 bytes at the given places.
  static func lookUp(_ places: Bytes, in table: UnsafePointer<UInt8>) -> Bytes
  /// Four pixels of 16 channels as 16 channels of four pixels.
  static func transposed(_ pixels: Bytes) -> Bytes
}

extension ByteInstructionSet {
  /// Bytes are multiplied as they are.
  @_alwaysEmitIntoClient @inline(__always)
  public static var arithmetic: ByteArithmetic { ByteArithmetic() }

  /// The bytes that a quad of weights for each channel takes.
  @_alwaysEmitIntoClient @inline(__always)
  static var weightBytes: Int { arithmetic.weightBytes }

  /// Adds the products of one quad after the other.
  @_alwaysEmitIntoClient @inline(__always)
  public static func addProducts(
    _ sums: Sums, quads: (UInt32, UInt32), weights: (Weights, Weights)
  ) -> Sums {
    addProducts(
      addProducts(sums, quad: quads.0, weights: weights.0), quad: quads.1, weights: weights.1)
  }

  /// A value at an address, which need not be aligned.
  @_alwaysEmitIntoClient @inline(__always)
  public static func load<T>(_ source: UnsafeRawPointer, as _: T.Type = T.self) -> T {
    source.loadUnaligned(as: T.self)
  }

  /// Sixteen sums from memory.
  @_alwaysEmitIntoClient @inline(__always)
  public static func sums(_ source: UnsafePointer<Int32>) -> Sums { load(source) }

  /// 64 bytes from memory.
  @_alwaysEmitIntoClient @inline(__always)
  public static func bytes(_ source: UnsafeRawPointer) -> Bytes { load(source) }
}

extension ByteInstructionSet where Weights == Bytes {
  /// 64 bytes from memory.
  @_alwaysEmitIntoClient @inline(__always)
  public static func weights(_ source: UnsafeRawPointer) -> Weights { load(source) }
}

/// The largest float below a half. Added to a float of less than 2²² on the side away from zero, it takes
/// ties, and nothing below them, to the next integer.
@_alwaysEmitIntoClient @inline(__always)
public var almostHalf: Float { 0x1.fffffep-2 }

/// Reinterprets the bits of a vector.
@_alwaysEmitIntoClient @inline(__always)
public func cast<T, U>(_ vector: T) -> U { unsafeBitCast(vector, to: U.self) }
