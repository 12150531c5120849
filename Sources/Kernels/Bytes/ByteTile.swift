// SPDX-License-Identifier: Apache-2.0

/// Sums of neighbouring output pixels of an int8 convolution, held in registers while it runs over
/// its inputs. Composed of parts, as `Tile` is.
public protocol ByteTile {
  /// The instruction set.
  associatedtype Set: ByteInstructionSet
  /// Output blocks of 16 channels, 1 or 2.
  static var blocks: Int { get }
  /// Output pixels, a multiple of four.
  static var pixels: Int { get }

  /// Starts every pixel from the bias, `blocks` × 16.
  init(bias: UnsafePointer<Int32>)

  /// Adds the products of a quad of inputs: `quad` is its address at the first pixel, `offsets` lead
  /// to the next ones, and `weights` are those of each block.
  mutating func addProducts(
    _ quad: UnsafePointer<UInt8>, offsets: PixelOffsets, weights: UnsafePointer<Int8>)

  /// Adds the products of two quads; `weights` are those of the first and of the second for each block.
  mutating func addProducts(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, offsets: PixelOffsets,
    weights: UnsafePointer<Int8>)

  /// Calls a function with the sums of each four pixels, their block and their first pixel.
  func forEach(_ body: (_ sums: Quartet<Set>, _ block: Int, _ pixel: Int) -> Void)
}

/// The distances in bytes from one of four neighbouring pixels to the others.
public struct PixelOffsets {
  @usableFromInline var second: Int
  @usableFromInline var third: Int
  @usableFromInline var fourth: Int

  /// Pixels at equal distances; those from `count` on stand for the last one before.
  @_alwaysEmitIntoClient @inline(__always)
  init(step: Int, count: Int = 4) {
    second = min(1, count &- 1) &* step
    third = min(2, count &- 1) &* step
    fourth = min(3, count &- 1) &* step
  }
}

/// Four pixels of one output block.
public struct Quartet<Set: ByteInstructionSet>: ByteTile {
  /// The sums of the pixels.
  public var a, b, c, d: Set.Sums

  /// Output blocks.
  @_alwaysEmitIntoClient @inline(__always)
  public static var blocks: Int { 1 }
  /// Output pixels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var pixels: Int { 4 }

  /// Starts from the bias.
  @_alwaysEmitIntoClient @inline(__always)
  public init(bias: UnsafePointer<Int32>) {
    a = Set.sums(bias)
    (b, c, d) = (a, a, a)
  }

  /// Adds the products of a quad.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts(
    _ quad: UnsafePointer<UInt8>, offsets: PixelOffsets, weights: UnsafePointer<Int8>
  ) {
    let vector = Set.weights(weights)
    a = Set.addProducts(a, quad: Set.load(quad), weights: vector)
    b = Set.addProducts(b, quad: Set.load(quad + offsets.second), weights: vector)
    c = Set.addProducts(c, quad: Set.load(quad + offsets.third), weights: vector)
    d = Set.addProducts(d, quad: Set.load(quad + offsets.fourth), weights: vector)
  }

  /// Adds the products of two quads.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, offsets: PixelOffsets,
    weights: UnsafePointer<Int8>
  ) {
    let vectors = (Set.weights(weights), Set.weights(weights + Set.weightBytes))
    @inline(__always)
    func quads(_ offset: Int) -> (UInt32, UInt32) {
      (Set.load(first + offset), Set.load(second + offset))
    }
    a = Set.addProducts(a, quads: quads(0), weights: vectors)
    b = Set.addProducts(b, quads: quads(offsets.second), weights: vectors)
    c = Set.addProducts(c, quads: quads(offsets.third), weights: vectors)
    d = Set.addProducts(d, quads: quads(offsets.fourth), weights: vectors)
  }

  /// Calls a function with itself.
  @_alwaysEmitIntoClient @inline(__always)
  public func forEach(_ body: (_ sums: Quartet, _ block: Int, _ pixel: Int) -> Void) {
    body(self, 0, 0)
  }
}

/// Four pixels of two output blocks.
public struct QuartetPair<Set: ByteInstructionSet>: ByteTile {
  @usableFromInline var upper: Quartet<Set>
  @usableFromInline var lower: Quartet<Set>

  /// Output blocks.
  @_alwaysEmitIntoClient @inline(__always)
  public static var blocks: Int { 2 }
  /// Output pixels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var pixels: Int { 4 }

  /// Starts from the bias.
  @_alwaysEmitIntoClient @inline(__always)
  public init(bias: UnsafePointer<Int32>) {
    upper = Quartet(bias: bias)
    lower = Quartet(bias: bias + 16)
  }

  /// Adds the products of a quad.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts(
    _ quad: UnsafePointer<UInt8>, offsets: PixelOffsets, weights: UnsafePointer<Int8>
  ) {
    upper.addProducts(quad, offsets: offsets, weights: weights)
    lower.addProducts(quad, offsets: offsets, weights: weights + Set.weightBytes)
  }

  /// Adds the products of two quads.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, offsets: PixelOffsets,
    weights: UnsafePointer<Int8>
  ) {
    upper.addProducts(first, second, offsets: offsets, weights: weights)
    lower.addProducts(first, second, offsets: offsets, weights: weights + 2 &* Set.weightBytes)
  }

  /// Calls a function with both blocks' sums.
  @_alwaysEmitIntoClient @inline(__always)
  public func forEach(_ body: (_ sums: Quartet<Set>, _ block: Int, _ pixel: Int) -> Void) {
    body(upper, 0, 0)
    body(lower, 1, 0)
  }
}

/// Two tiles side by side.
public struct BytesSideBySide<First: ByteTile, Second: ByteTile>: ByteTile
where First.Set == Second.Set {
  /// The instruction set.
  public typealias Set = First.Set
  @usableFromInline var first: First
  @usableFromInline var second: Second

  /// Output blocks.
  @_alwaysEmitIntoClient @inline(__always)
  public static var blocks: Int { First.blocks }
  /// Output pixels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var pixels: Int { First.pixels &+ Second.pixels }

  /// Starts from the bias.
  @_alwaysEmitIntoClient @inline(__always)
  public init(bias: UnsafePointer<Int32>) {
    first = First(bias: bias)
    second = Second(bias: bias)
  }

  /// Adds the products of a quad.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts(
    _ quad: UnsafePointer<UInt8>, offsets: PixelOffsets, weights: UnsafePointer<Int8>
  ) {
    first.addProducts(quad, offsets: offsets, weights: weights)
    second.addProducts(quad + First.pixels &* offsets.second, offsets: offsets, weights: weights)
  }

  /// Adds the products of two quads.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts(
    _ first: UnsafePointer<UInt8>, _ second: UnsafePointer<UInt8>, offsets: PixelOffsets,
    weights: UnsafePointer<Int8>
  ) {
    self.first.addProducts(first, second, offsets: offsets, weights: weights)
    let distance = First.pixels &* offsets.second
    self.second.addProducts(first + distance, second + distance, offsets: offsets, weights: weights)
  }

  /// Calls a function with each part's sums.
  @_alwaysEmitIntoClient @inline(__always)
  public func forEach(_ body: (_ sums: Quartet<Set>, _ block: Int, _ pixel: Int) -> Void) {
    first.forEach(body)
    second.forEach { body($0, $1, $2 &+ First.pixels) }
  }
}
