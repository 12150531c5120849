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
  /// `clamp(alpha · x + beta, 0, 1)`
  case hardSigmoid(alpha: Float, beta: Float)
  /// `x · clamp(alpha · x + beta, 0, 1)`
  case hardSwish(alpha: Float, beta: Float)
}

extension InstructionSet {
  /// 2ᶠ for f in [−½, ½]: a polynomial of degree 4, fitted for the smallest largest relative error,
  /// 2.6 · 10⁻⁶.
  @inlinable @inline(__always)
  public static func powerOf2(_ f: Vector) -> Vector {
    var power = Vector(repeating: 0.009570086)
    power = addProduct(Vector(repeating: 0.05591785), power, f)
    power = addProduct(Vector(repeating: 0.24024744), power, f)
    power = addProduct(Vector(repeating: 0.6931218), power, f)
    return addProduct(Vector(repeating: 0.9999993), power, f)
  }

  @inlinable @inline(__always)
  public static func exponential2(_ t: Vector) -> Vector {
    // Adding 1.5 · 2²³ leaves the nearest integer in the lowest bits of the significand.
    let shifter = Vector(repeating: 12_582_912)
    let shifted = t + shifter
    let power = powerOf2(t - (shifted - shifter))
    let exponent = unsafeBitCast(shifted, to: Vector.MaskStorage.self) &<< 23
    let bits = unsafeBitCast(power, to: Vector.MaskStorage.self) &+ exponent
    return unsafeBitCast(bits, to: Vector.self)
  }

  /// `1 / (1 + e⁻ˣ)` with a relative error below 4 · 10⁻⁶; x beyond ±87 counts as ±87.
  @inlinable @inline(__always)
  static func sigmoid(_ x: Vector) -> Vector {
    let bound = Vector(repeating: 87)
    let t = minimum(maximum(x, -bound), bound) * -1.442695
    return reciprocal(exponential2(t) + 1)
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
    case .swish: tile.transform { $0 * sigmoid($0) }
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
