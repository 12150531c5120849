// SPDX-License-Identifier: Apache-2.0

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

/// Where the pixels of an operand are: the first one, and the elements from one to the next: L, or 0
/// where one pixel serves all.
public typealias VectorOperand = (start: UnsafePointer<Float>, step: Int)

extension InstructionSet {
  /// Computes pixels of one block from those of two operands.
  ///
  ///     output[p][l] = arithmetic(first[p][l], second[p][l])
  @_alwaysEmitIntoClient @inline(__always)
  public static func combine(
    _ first: VectorOperand, _ second: VectorOperand, _ arithmetic: VectorArithmetic, pixels: Int,
    to output: UnsafeMutablePointer<Float>
  ) {
    @inline(__always)
    func map(_ arithmetic: (Vector, Vector) -> Vector) {
      for pixel in 0..<pixels {
        let first = load(first.start + pixel &* first.step)
        let second = load(second.start + pixel &* second.step)
        store(arithmetic(first, second), output + pixel &* lanes)
      }
    }
    switch arithmetic {
    case .add: map { $0 + $1 }
    case .subtract: map { $0 - $1 }
    case .multiply: map { $0 * $1 }
    case .divide: map { $0 / $1 }
    case .maximum: map { maximum($0, $1) }
    case .minimum: map { minimum($0, $1) }
    case .weightedSum(let first, let second):
      map { addProduct($0 * first, $1, Vector(repeating: second)) }
    case .leak: map { addProduct(maximum($0, .zero), minimum($0, .zero), $1) }
    }
  }
}
