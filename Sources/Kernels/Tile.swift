// SPDX-License-Identifier: Apache-2.0

/// The sums of neighbouring output pixels, held in registers while a convolution runs over its
/// inputs.
///
/// Tiles are composed of parts so that every sum is a stored property: arrays, even of fixed size,
/// end up in memory.
public protocol Tile {
  /// The instruction set's vector.
  associatedtype Vector: SIMD where Vector.Scalar == Float
  /// Output blocks of L channels, 1 or 2.
  static var blocks: Int { get }
  /// Output pixels.
  static var pixels: Int { get }

  /// Starts every pixel from the bias, `blocks` vectors.
  init<I: InstructionSet>(_: I.Type, bias: UnsafePointer<Float>) where I.Vector == Vector

  /// Adds the products of one source: `source` is its value at the first pixel, `step` the distance
  /// to its value at the next pixel, and `weights` are `blocks` vectors.
  mutating func addProducts<I: InstructionSet>(
    _: I.Type, of source: UnsafePointer<Float>, step: Int, weights: UnsafePointer<Float>
  ) where I.Vector == Vector

  /// Adds sums that `store` has written.
  mutating func add<I: InstructionSet>(
    _: I.Type, from source: UnsafePointer<Float>, blockStride: Int
  ) where I.Vector == Vector

  /// Applies a function to every sum.
  mutating func transform(_ function: (Vector) -> Vector)

  /// Writes the sums: the pixels of a block side by side, the blocks `blockStride` elements apart.
  func store<I: InstructionSet>(
    _: I.Type, to target: UnsafeMutablePointer<Float>, blockStride: Int
  ) where I.Vector == Vector
}

/// One pixel of one output block.
public struct Single<Vector: SIMD>: Tile where Vector.Scalar == Float {
  @usableFromInline var sum: Vector

  @_alwaysEmitIntoClient @inline(__always)
  init(_ sum: Vector) { self.sum = sum }

  /// Output blocks of L channels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var blocks: Int { 1 }
  /// Output pixels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var pixels: Int { 1 }

  /// Starts from the bias.
  @_alwaysEmitIntoClient @inline(__always)
  public init<I: InstructionSet>(_: I.Type, bias: UnsafePointer<Float>) where I.Vector == Vector {
    sum = I.load(bias)
  }

  /// Adds the products of one source.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts<I: InstructionSet>(
    _: I.Type, of source: UnsafePointer<Float>, step: Int, weights: UnsafePointer<Float>
  ) where I.Vector == Vector {
    sum = I.addProduct(sum, Vector(repeating: source[0]), I.load(weights))
  }

  /// Adds stored sums.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func add<I: InstructionSet>(
    _: I.Type, from source: UnsafePointer<Float>, blockStride: Int
  ) where I.Vector == Vector {
    sum += I.load(source)
  }

  /// Applies a function to every sum.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func transform(_ function: (Vector) -> Vector) { sum = function(sum) }

  /// Writes the sums.
  @_alwaysEmitIntoClient @inline(__always)
  public func store<I: InstructionSet>(
    _: I.Type, to target: UnsafeMutablePointer<Float>, blockStride: Int
  ) where I.Vector == Vector {
    I.store(sum, target)
  }
}

/// One pixel of two output blocks.
public struct Pair<Vector: SIMD>: Tile where Vector.Scalar == Float {
  @usableFromInline var first: Vector
  @usableFromInline var second: Vector

  /// Output blocks of L channels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var blocks: Int { 2 }
  /// Output pixels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var pixels: Int { 1 }

  /// Starts from the bias.
  @_alwaysEmitIntoClient @inline(__always)
  public init<I: InstructionSet>(_: I.Type, bias: UnsafePointer<Float>) where I.Vector == Vector {
    first = I.load(bias)
    second = I.load(bias + I.lanes)
  }

  /// Adds the products of one source.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts<I: InstructionSet>(
    _: I.Type, of source: UnsafePointer<Float>, step: Int, weights: UnsafePointer<Float>
  ) where I.Vector == Vector {
    let value = Vector(repeating: source[0])
    first = I.addProduct(first, value, I.load(weights))
    second = I.addProduct(second, value, I.load(weights + I.lanes))
  }

  /// Adds stored sums.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func add<I: InstructionSet>(
    _: I.Type, from source: UnsafePointer<Float>, blockStride: Int
  ) where I.Vector == Vector {
    first += I.load(source)
    second += I.load(source + blockStride)
  }

  /// Applies a function to every sum.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func transform(_ function: (Vector) -> Vector) {
    first = function(first)
    second = function(second)
  }

  /// Writes the sums.
  @_alwaysEmitIntoClient @inline(__always)
  public func store<I: InstructionSet>(
    _: I.Type, to target: UnsafeMutablePointer<Float>, blockStride: Int
  ) where I.Vector == Vector {
    I.store(first, target)
    I.store(second, target + blockStride)
  }
}

/// Two tiles side by side.
public struct SideBySide<First: Tile, Second: Tile>: Tile where First.Vector == Second.Vector {
  /// The instruction set's vector.
  public typealias Vector = First.Vector
  @usableFromInline var first: First
  @usableFromInline var second: Second

  /// Output blocks of L channels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var blocks: Int { First.blocks }
  /// Output pixels.
  @_alwaysEmitIntoClient @inline(__always)
  public static var pixels: Int { First.pixels &+ Second.pixels }

  /// Starts from the bias.
  @_alwaysEmitIntoClient @inline(__always)
  public init<I: InstructionSet>(_: I.Type, bias: UnsafePointer<Float>) where I.Vector == Vector {
    first = First(I.self, bias: bias)
    second = Second(I.self, bias: bias)
  }

  /// Adds the products of one source.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func addProducts<I: InstructionSet>(
    _: I.Type, of source: UnsafePointer<Float>, step: Int, weights: UnsafePointer<Float>
  ) where I.Vector == Vector {
    first.addProducts(I.self, of: source, step: step, weights: weights)
    second.addProducts(I.self, of: source + First.pixels &* step, step: step, weights: weights)
  }

  /// Adds stored sums.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func add<I: InstructionSet>(
    _: I.Type, from source: UnsafePointer<Float>, blockStride: Int
  ) where I.Vector == Vector {
    first.add(I.self, from: source, blockStride: blockStride)
    second.add(I.self, from: source + First.pixels &* I.lanes, blockStride: blockStride)
  }

  /// Applies a function to every sum.
  @_alwaysEmitIntoClient @inline(__always)
  public mutating func transform(_ function: (Vector) -> Vector) {
    first.transform(function)
    second.transform(function)
  }

  /// Writes the sums.
  @_alwaysEmitIntoClient @inline(__always)
  public func store<I: InstructionSet>(
    _: I.Type, to target: UnsafeMutablePointer<Float>, blockStride: Int
  ) where I.Vector == Vector {
    first.store(I.self, to: target, blockStride: blockStride)
    second.store(I.self, to: target + First.pixels &* I.lanes, blockStride: blockStride)
  }
}

/// Two of the same part.
public typealias Twice<Part: Tile> = SideBySide<Part, Part>
/// Three of the same part.
public typealias Thrice<Part: Tile> = SideBySide<Part, SideBySide<Part, Part>>
