// SPDX-License-Identifier: Apache-2.0

/// An activation that a kernel applies to its own results.
public enum VectorActivation: Hashable, Sendable {
  /// None.
  case none
  /// `max(x, 0)`
  case relu
  /// `x`, or `x · slope` below zero.
  case leakyReLU(slope: Float)
  /// `x` clamped to bounds.
  case clip(minimum: Float, maximum: Float)
  /// `1 / (1 + e⁻ˣ)`
  case sigmoid
  /// `x / (1 + e⁻ˣ)`
  case swish
  /// Swish of x where the sum is `t = −log₂e · x`: the weights include the factor.
  ///
  /// Below x = −88, this and `swish` stay at −5.2 · 10⁻³⁷; from x = 2.36 · 10³⁸ on, where t
  /// overflows, they are ∞.
  case foldedSwish
  /// `clamp(alpha · x + beta, 0, 1)`
  case hardSigmoid(alpha: Float, beta: Float)
  /// `x · clamp(alpha · x + beta, 0, 1)`
  case hardSwish(alpha: Float, beta: Float)
  /// `eˣ`; 0 below 2⁻¹²⁶, and at most 2¹²⁷
  case exponential
  /// The hyperbolic tangent.
  case tanh
  /// `x · tanh(ln(1 + eˣ))`
  case mish
  /// `x · Φ(x)`, where Φ is the normal distribution function.
  case gelu
  /// Its approximation `x · (1 + tanh(√(2/π) · (x + 0.044715 · x³))) / 2`
  case fastGELU
}

/// −log₂e. Swish of x is computed from this times x; convolutions fold it into their weights.
@_alwaysEmitIntoClient @inline(__always)
public var swishFactor: Float { -1.4426950 }

extension InstructionSet {
  /// Splits t into the nearest integer, which is added to the exponent bits, and a remainder in
  /// [−½, ½]. An instruction set with a shorter way to the same bits has its own.
  @_alwaysEmitIntoClient @inline(__always)
  public static func swishDivisor(_ t: Vector) -> Vector {
    // Keeps the exponent within its bits.
    scaledPower(maximum(t, Vector(repeating: -126))) + swishFactor
  }

  /// `−log₂e · 2ᵗ` for t in [−126, 128].
  @_alwaysEmitIntoClient @inline(__always)
  static func scaledPower(_ t: Vector) -> Vector {
    let shifted = t + integerShifter
    let power = swishPower(t - (shifted - integerShifter))
    let exponent = unsafeBitCast(shifted, to: Vector.MaskStorage.self) &<< 23
    let bits = unsafeBitCast(power, to: Vector.MaskStorage.self) &+ exponent
    return unsafeBitCast(bits, to: Vector.self)
  }

  /// 1.5 · 2²³: added to a number, it leaves the nearest integer in the lowest bits of the
  /// significand.
  @_alwaysEmitIntoClient @inline(__always)
  public static var integerShifter: Vector { Vector(repeating: 12_582_912) }

  /// `−log₂e · 2ᵗ` for t in [−½, ½]: a polynomial of degree 4, fitted to minimise the largest
  /// relative error, which is 2.6 · 10⁻⁶.
  @_alwaysEmitIntoClient @inline(__always)
  public static func swishPower(_ t: Vector) -> Vector {
    var power = Vector(repeating: -0.0138067156)
    power = addProduct(Vector(repeating: -0.0806724049), power, t)
    power = addProduct(Vector(repeating: -0.34660379), power, t)
    power = addProduct(Vector(repeating: -0.999963384), power, t)
    return addProduct(Vector(repeating: -1.44269403), power, t)
  }

  /// `t / (−log₂e · (1 + 2ᵗ))`, which is Swish of x where `t = −log₂e · x`.
  @_alwaysEmitIntoClient @inline(__always)
  static func foldedSwish(_ t: Vector) -> Vector {
    let t = held(t)
    return t / swishDivisor(t)
  }

  /// t clamped to at most 127, so that 2ᵗ is finite. The dividend is clamped too: otherwise Swish
  /// would grow again where it is close to 0.
  @_alwaysEmitIntoClient @inline(__always)
  static func held(_ t: Vector) -> Vector { minimum(t, Vector(repeating: 127)) }

  /// `x / (1 + e⁻ˣ)`
  @_alwaysEmitIntoClient @inline(__always)
  static func swish(_ x: Vector) -> Vector { foldedSwish(x * swishFactor) }

  /// `1 / (1 + e⁻ˣ)`
  @_alwaysEmitIntoClient @inline(__always)
  static func sigmoid(_ x: Vector) -> Vector {
    swishFactor / swishDivisor(held(x * swishFactor))
  }

  /// `eˣ`: `2ᵗ` where `t = log₂e · x`, times 0 where t is below −126, as it is of a masked number, and else times 1.
  @_alwaysEmitIntoClient @inline(__always)
  static func exponential(_ x: Vector) -> Vector {
    let place = x * -swishFactor
    let above = maximum((place + 126.5) * 0x1p100, Vector(repeating: 0))
    let factor = minimum(above, Vector(repeating: 1)) * (1 / swishFactor)
    return scaledPower(held(maximum(place, Vector(repeating: -126)))) * factor
  }

  /// Up to 5/8 an odd polynomial, fitted to an error of 4 · 10⁻⁹, and `1 − 2 / (1 + e²ˣ)` beyond. Which of them is
  /// a factor of 0 or 1: vectors choose by masks lane by lane.
  @_alwaysEmitIntoClient @inline(__always)
  static func tanh(_ x: Vector) -> Vector {
    let inner = minimum(maximum(x, Vector(repeating: -0.625)), Vector(repeating: 0.625))
    let square = inner * inner
    var sum = Vector(repeating: -0.00571485351)
    sum = addProduct(Vector(repeating: 0.0206487134), sum, square)
    sum = addProduct(Vector(repeating: -0.0537429525), sum, square)
    sum = addProduct(Vector(repeating: 0.133314851), sum, square)
    sum = addProduct(Vector(repeating: -0.333332837), sum, square)
    let near = addProduct(inner, sum * square, inner)
    let far = 1 - 2 / (1 + exponential(x + x))
    let outside = maximum(x - inner, inner - x) * 0x1p100
    return addProduct(near, far - near, minimum(outside, Vector(repeating: 1)))
  }

  /// With e = eˣ, `x · n / (n + 2)` where `n = e · (e + 2)`.
  @_alwaysEmitIntoClient @inline(__always)
  static func mish(_ x: Vector) -> Vector {
    let power = exponential(minimum(x, Vector(repeating: 20)))
    let part = power * (power + 2)
    return x * part / (part + 2)
  }

  /// `x/2 + |x| · (1/2 − Φ(−|x|))`. Φ(−|x|) is `e^(−x²/2)` times a polynomial of `1 / (1 + 0.28 · |x|)`, fitted
  /// to an error of 10⁻⁸.
  @_alwaysEmitIntoClient @inline(__always)
  static func gelu(_ x: Vector) -> Vector {
    let size = maximum(x, -x)
    let t = 1 / addProduct(Vector(repeating: 1), size, Vector(repeating: 0.28))
    var sum = Vector(repeating: -0.10681188)
    sum = addProduct(Vector(repeating: 0.394016345), sum, t)
    sum = addProduct(Vector(repeating: -0.243789844), sum, t)
    sum = addProduct(Vector(repeating: 0.274449669), sum, t)
    sum = addProduct(Vector(repeating: 0.0652543469), sum, t)
    sum = addProduct(Vector(repeating: 0.116881344), sum, t)
    let tail = sum * t * exponential(size * size * -0.5)
    return addProduct(0.5 * x, size, 0.5 - tail)
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func fastGELU(_ x: Vector) -> Vector {
    let cubic = addProduct(x, x * x * 0.044715, x)
    return x * sigmoid(cubic * (2 * 0.79788452))
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func leakyReLU(_ x: Vector, _ slope: Float) -> Vector {
    addProduct(maximum(x, .zero), minimum(x, .zero), Vector(repeating: slope))
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func hardSigmoid(_ x: Vector, _ alpha: Float, _ beta: Float) -> Vector {
    let line = addProduct(Vector(repeating: beta), x, Vector(repeating: alpha))
    return minimum(maximum(line, .zero), Vector(repeating: 1))
  }

  /// Applies an activation to every sum of a tile if it is one of the few that convolutions usually
  /// have. Gives false for any other, which would add too much code to every tile.
  @_alwaysEmitIntoClient @inline(__always)
  static func activateFast<T: Tile>(_ tile: inout T, _ activation: VectorActivation) -> Bool
  where T.Vector == Vector {
    switch activation {
    case .none: break
    case .foldedSwish: tile.transform { foldedSwish($0) }
    case .relu: tile.transform { maximum($0, .zero) }
    case .leakyReLU(let slope): tile.transform { leakyReLU($0, slope) }
    case .clip, .sigmoid, .swish, .hardSigmoid, .hardSwish, .exponential, .tanh, .mish, .gelu,
      .fastGELU:
      return false
    }
    return true
  }

  /// Applies an activation to pixels of one block, in place or into another buffer.
  @_alwaysEmitIntoClient @inline(__always)
  public static func activate(
    _ input: UnsafePointer<Float>, pixels: Int, _ activation: VectorActivation,
    to output: UnsafeMutablePointer<Float>
  ) {
    @inline(__always)
    func map(_ function: (Vector) -> Vector) {
      for pixel in 0..<pixels {
        store(function(load(input + pixel &* lanes)), output + pixel &* lanes)
      }
    }
    switch activation {
    case .none: map { $0 }
    case .foldedSwish: map { foldedSwish($0) }
    case .swish: map { swish($0) }
    case .relu: map { maximum($0, .zero) }
    case .sigmoid: map { sigmoid($0) }
    case .leakyReLU(let slope): map { leakyReLU($0, slope) }
    case .clip(let low, let high):
      map { minimum(maximum($0, Vector(repeating: low)), Vector(repeating: high)) }
    case .hardSigmoid(let alpha, let beta): map { hardSigmoid($0, alpha, beta) }
    case .hardSwish(let alpha, let beta): map { $0 * hardSigmoid($0, alpha, beta) }
    case .exponential: map { exponential($0) }
    case .tanh: map { tanh($0) }
    case .mish: map { mish($0) }
    case .gelu: map { gelu($0) }
    case .fastGELU: map { fastGELU($0) }
    }
  }

  /// Applies an activation to pixels of one block, in place.
  @_alwaysEmitIntoClient @inline(__always)
  static func activate(
    _ output: UnsafeMutablePointer<Float>, pixels: Int, _ activation: VectorActivation
  ) {
    if activation != .none { activate(output, pixels: pixels, activation, to: output) }
  }
}
