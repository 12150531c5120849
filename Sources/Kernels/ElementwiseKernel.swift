/// What an element-wise kernel computes from `a` and `b`.
public enum VectorArithmetic: Hashable, Sendable {
  /// `a + b`
  case add
  /// `a − b`
  case subtract
  /// `a · b`
  case multiply
  /// `a / b`
  case divide
  /// The larger one; `a` where either is NaN.
  case maximum
  /// The smaller one; `a` where either is NaN.
  case minimum
  /// `a · first + b · second`
  case weightedSum(first: Float, second: Float)
  /// `a`, or `a · b` where `a` is negative: PReLU with a finite slope `b`.
  case leak
}

/// Neighbouring pixels of one block, each computed from one pixel of each operand.
///
///     output[p][l] = arithmetic(first[p · firstStep][l], second[p · secondStep][l])
public struct ElementwiseRun {
  /// The first operand.
  public var first: UnsafePointer<Float>
  /// Elements from one pixel of the first operand to the next: L, or 0 where one pixel serves all.
  public var firstStep: Int
  /// The second operand.
  public var second: UnsafePointer<Float>
  /// Elements from one pixel of the second operand to the next.
  public var secondStep: Int
  /// pixels × L; may be an operand of the same size.
  public var output: UnsafeMutablePointer<Float>
  /// The number of pixels.
  public var pixels: Int
  /// What is computed.
  public var arithmetic: VectorArithmetic

  /// Makes a run from its parts.
  @_alwaysEmitIntoClient
  public init(
    first: UnsafePointer<Float>, firstStep: Int, second: UnsafePointer<Float>, secondStep: Int,
    output: UnsafeMutablePointer<Float>, pixels: Int, arithmetic: VectorArithmetic
  ) {
    self.first = first
    self.firstStep = firstStep
    self.second = second
    self.secondStep = secondStep
    self.output = output
    self.pixels = pixels
    self.arithmetic = arithmetic
  }
}

extension InstructionSet {
  /// Computes pixels of one block from those of two operands.
  @_alwaysEmitIntoClient @inline(__always)
  public static func combine(_ run: ElementwiseRun) {
    switch run.arithmetic {
    case .add: combine(run) { $0 + $1 }
    case .subtract: combine(run) { $0 - $1 }
    case .multiply: combine(run) { $0 * $1 }
    case .divide: combine(run) { $0 / $1 }
    case .maximum: combine(run) { maximum($0, $1) }
    case .minimum: combine(run) { minimum($0, $1) }
    case .weightedSum(let first, let second):
      combine(run) { addProduct($0 * first, $1, Vector(repeating: second)) }
    case .leak: combine(run) { addProduct(maximum($0, .zero), minimum($0, .zero), $1) }
    }
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func combine(_ run: ElementwiseRun, _ arithmetic: (Vector, Vector) -> Vector) {
    for pixel in 0..<run.pixels {
      let first = load(run.first + pixel &* run.firstStep)
      let second = load(run.second + pixel &* run.secondStep)
      store(arithmetic(first, second), run.output + pixel &* lanes)
    }
  }
}
