// SPDX-License-Identifier: Apache-2.0

/// What kernels need from an instruction set: a vector of fp32 lanes and the few operations that
/// Swift's generic vector operators lack.
///
/// Kernels are generic over it and always inlined; a thin module compiled for each instruction set
/// instantiates them. In comments on shapes, C = channels, H = rows, W = columns, L = lanes of a
/// vector, B = blocks of L channels, K = sources of a convolution (input blocks × taps).
public protocol InstructionSet: SendableMetatype {
  /// The fp32 lanes of one register.
  associatedtype Vector: SIMD & Linear
  where Vector.Scalar == Float, Vector.MaskStorage.Scalar == Int32
  /// The largest tile of two output blocks that fits in the registers beside two weights and an
  /// input.
  associatedtype WidePair: Tile where WidePair.Vector == Vector
  /// The largest tile of one output block.
  associatedtype WideSingle: Tile where WideSingle.Vector == Vector

  /// `sum + a · b`, fused where the processor supports it.
  static func addProduct(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector
  /// The smaller of each pair of lanes; `a` where either is NaN.
  static func minimum(_ a: Vector, _ b: Vector) -> Vector
  /// The larger of each pair of lanes; `a` where either is NaN.
  static func maximum(_ a: Vector, _ b: Vector) -> Vector
  /// `−log₂e · (1 + 2ᵗ)`, the divisor in Swish, for t up to 127, with a relative error of at most 4
  /// · 10⁻⁶. Gives the same bits for every finite t wherever `fusesMultiplyAdd`.
  static func swishDivisor(_ t: Vector) -> Vector
  /// Whether `addProduct` rounds once. Kernels give the same bits on all instruction sets for which
  /// it does.
  static var fusesMultiplyAdd: Bool { get }
  /// Whether there are registers for an activation's constants beside a tile's sums, so that it is
  /// applied to them before they are stored.
  static var activatesTiles: Bool { get }
}

extension InstructionSet {
  /// True.
  @_alwaysEmitIntoClient @inline(__always)
  public static var fusesMultiplyAdd: Bool { true }

  /// True.
  @_alwaysEmitIntoClient @inline(__always)
  public static var activatesTiles: Bool { true }

  /// `sum + a · b`, fused.
  @_alwaysEmitIntoClient @inline(__always)
  public static func addProduct(_ sum: Vector, _ a: Vector, _ b: Vector) -> Vector {
    sum.addingProduct(a, b)
  }

  /// The smaller of each pair of lanes; `a` where either is NaN.
  @_alwaysEmitIntoClient @inline(__always)
  public static func minimum(_ a: Vector, _ b: Vector) -> Vector {
    a.replacing(with: b, where: b .< a)
  }

  /// The larger of each pair of lanes; `a` where either is NaN.
  @_alwaysEmitIntoClient @inline(__always)
  public static func maximum(_ a: Vector, _ b: Vector) -> Vector {
    a.replacing(with: b, where: b .> a)
  }

  /// Lanes of a vector.
  @_alwaysEmitIntoClient @inline(__always)
  public static var lanes: Int { Vector.scalarCount }

  /// The vector at an address, which need not be aligned.
  @_alwaysEmitIntoClient @inline(__always)
  public static func load(_ source: UnsafePointer<Float>) -> Vector {
    UnsafeRawPointer(source).loadUnaligned(as: Vector.self)
  }

  /// Writes a vector to an address, which need not be aligned.
  @_alwaysEmitIntoClient @inline(__always)
  public static func store(_ vector: Vector, _ target: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(target).storeBytes(of: vector, as: Vector.self)
  }
}
