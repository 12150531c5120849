/// An activation that a kernel applies to its own results.
public enum VectorActivation: Hashable, Sendable {
  /// None.
  case none
  /// `max(x, 0)`
  case relu
  /// `x`, or `x · slope` below zero.
  case leakyReLU(slope: Float)
  /// `x` held within bounds.
  case clip(minimum: Float, maximum: Float)
  /// `1 / (1 + e⁻ˣ)`
  case sigmoid
  /// `x / (1 + e⁻ˣ)`
  case swish
  /// Swish of x where the sum is `t = −log₂e · x`: the weights bring the factor along.
  case foldedSwish
  /// `clamp(alpha · x + beta, 0, 1)`
  case hardSigmoid(alpha: Float, beta: Float)
  /// `x · clamp(alpha · x + beta, 0, 1)`
  case hardSwish(alpha: Float, beta: Float)
}

/// −log₂e: Swish of x is computed from this times x, which convolutions have in their weights.
@inlinable @inline(__always)
public var swishFactor: Float { -1.4426950 }

extension InstructionSet {
  /// 2ᵗ split into the nearest integer, which goes to the exponent bits, and a rest in [−½, ½], for
  /// which a polynomial of degree 4 stands, fitted for the smallest largest relative error,
  /// 2.6 · 10⁻⁶.
  @inlinable @inline(__always)
  public static func swishDivisor(_ t: Vector) -> Vector {
    let bound = Vector(repeating: 126)
    let t = minimum(maximum(t, -bound), bound)
    // Adding 1.5 · 2²³ leaves the nearest integer in the lowest bits of the significand.
    let shifter = Vector(repeating: 12_582_912)
    let shifted = t + shifter
    let rest = t - (shifted - shifter)
    var power = Vector(repeating: 0.009570086)
    power = addProduct(Vector(repeating: 0.05591785), power, rest)
    power = addProduct(Vector(repeating: 0.24024744), power, rest)
    power = addProduct(Vector(repeating: 0.6931218), power, rest)
    power = addProduct(Vector(repeating: 0.9999993), power, rest)
    let exponent = unsafeBitCast(shifted, to: Vector.MaskStorage.self) &<< 23
    let bits = unsafeBitCast(power, to: Vector.MaskStorage.self) &+ exponent
    let factor = Vector(repeating: swishFactor)
    return addProduct(factor, unsafeBitCast(bits, to: Vector.self), factor)
  }

  /// `t / (−log₂e · (1 + 2ᵗ))`, which is Swish of x where `t = −log₂e · x`.
  @inlinable @inline(__always)
  static func foldedSwish(_ t: Vector) -> Vector { t / swishDivisor(t) }

  /// `x / (1 + e⁻ˣ)`
  @inlinable @inline(__always)
  static func swish(_ x: Vector) -> Vector { foldedSwish(x * swishFactor) }

  /// `1 / (1 + e⁻ˣ)`
  @inlinable @inline(__always)
  static func sigmoid(_ x: Vector) -> Vector {
    swishFactor / swishDivisor(x * swishFactor)
  }

  @inlinable @inline(__always)
  static func hardSigmoid(_ x: Vector, _ alpha: Float, _ beta: Float) -> Vector {
    let line = addProduct(Vector(repeating: beta), x, Vector(repeating: alpha))
    return minimum(maximum(line, .zero), Vector(repeating: 1))
  }

  /// Puts every sum of a tile through an activation; the choice is made once per tile.
  @inlinable @inline(__always)
  static func activate<T: Tile>(_ tile: inout T, _ activation: VectorActivation)
  where T.Vector == Vector {
    switch activation {
    case .none: break
    case .foldedSwish: tile.transform { foldedSwish($0) }
    case .swish: tile.transform { swish($0) }
    case .relu: tile.transform { maximum($0, .zero) }
    case .sigmoid: tile.transform { sigmoid($0) }
    case .leakyReLU(let slope):
      tile.transform {
        addProduct(maximum($0, .zero), minimum($0, .zero), Vector(repeating: slope))
      }
    case .clip(let low, let high):
      tile.transform {
        minimum(maximum($0, Vector(repeating: low)), Vector(repeating: high))
      }
    case .hardSigmoid(let alpha, let beta): tile.transform { hardSigmoid($0, alpha, beta) }
    case .hardSwish(let alpha, let beta): tile.transform { $0 * hardSigmoid($0, alpha, beta) }
    }
  }
}
