// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC

/// Arithmetic on the elements of two blobs, a and b, or of a blob and a number; sizes are equal or
/// 1.
///
/// By ncnn's rule, a single axis matches the outermost axis of the other blob where their sizes
/// agree, else the innermost; more match the outermost ones.
struct BinaryOp: SingleOutputKind, Hashable {
  /// In ncnn's order.
  enum Arithmetic: CaseIterable {
    case add, subtract, multiply, divide, maximum, minimum, power
    case subtractReversed, divideReversed, powerReversed, arcTangent, arcTangentReversed
    case truncatedRemainder, truncatedRemainderReversed, logSumOfExponentials
    case floorQuotient, floorQuotientReversed, remainder, remainderReversed
  }

  let arithmetic: Arithmetic
  /// The number that takes the place of the second blob, if any.
  let scalar: Float?

  init(_ reader: ParameterReader) throws(ModelError) {
    arithmetic = Arithmetic.allCases[try reader.integer(0, "op_type", default: 0, in: 0...18)]
    scalar = try reader.flag(1, "with_scalar") ? try reader.real(2, "b", default: 0) : nil
  }

  var traits: LayerTraits { LayerTraits(inputs: scalar == nil ? 2...2 : 1...1) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    guard let kernel = arithmetic.kernel else { return .plain }
    let a = Lowering.Operand.input(0)
    let b = scalar.map { Lowering.Operand.numbers([$0]) } ?? .input(1)
    let isReversed = arithmetic == .subtractReversed || arithmetic == .divideReversed
    return isReversed ? .arithmetic(b, [(kernel, a)]) : .arithmetic(a, [(kernel, b)])
  }

  /// The larger size along each axis.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard scalar == nil else { return inputs[0] }
    let sizes = Array(
      zip(expanded(inputs[0], beside: inputs[1]), expanded(inputs[1], beside: inputs[0])))
    guard sizes.allSatisfy({ $0 == $1 || $0 == 1 || $1 == 1 }) else {
      throw .shape("shapes \(inputs[0]) and \(inputs[1])", expected: "sizes equal or 1")
    }
    return sizes.map { max($0, $1) }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    let a = inputs[0]
    if let scalar { return a.mapped { arithmetic.apply($0, scalar) } }
    let b = inputs[1]
    let aSteps = repeatingSteps(of: expanded(a.shape, beside: b.shape))
    let bSteps = repeatingSteps(of: expanded(b.shape, beside: a.shape))
    return Tensor(appending: shape) { values in
      forEachRow(of: shape) { channel, slice, row in
        let aStart = channel * aSteps[0] + slice * aSteps[1] + row * aSteps[2]
        let bStart = channel * bSteps[0] + slice * bSteps[1] + row * bSteps[2]
        for x in 0..<shape[shape.count - 1] {
          values.append(
            arithmetic.apply(a.values[aStart + x * aSteps[3]], b.values[bStart + x * bSteps[3]]))
        }
      }
    }
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: output, steps: arithmetic.kernel == nil ? Cost.exponential : 1)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .joined }
}

/// A shape with as many axes as another one, if that has more.
private func expanded(_ shape: [Int], beside other: [Int]) -> [Int] {
  let missing = other.count - shape.count
  guard missing > 0 else { return shape }
  let ones = Array(repeating: 1, count: missing)
  return shape.count > 1 || shape[0] == other[0] ? shape + ones : ones + shape
}

extension BinaryOp.Arithmetic {
  /// What kernels have of it, on operands in the other order where it is reversed.
  fileprivate var kernel: Lowering.Arithmetic? {
    switch self {
    case .add: .add
    case .subtract, .subtractReversed: .subtract
    case .multiply: .multiply
    case .divide, .divideReversed: .divide
    case .maximum: .maximum
    case .minimum: .minimum
    default: nil
    }
  }

  fileprivate func apply(_ a: Float, _ b: Float) -> Float {
    switch self {
    case .add: a + b
    case .subtract: a - b
    case .multiply: a * b
    case .divide: a / b
    case .maximum: max(a, b)
    case .minimum: min(a, b)
    case .power: pow(a, b)
    case .subtractReversed: b - a
    case .divideReversed: b / a
    case .powerReversed: pow(b, a)
    case .arcTangent: atan2(a, b)
    case .arcTangentReversed: atan2(b, a)
    case .truncatedRemainder: remainder(a, b, .towardZero)
    case .truncatedRemainderReversed: remainder(b, a, .towardZero)
    case .logSumOfExponentials: max(a, b) + log(1 + exp(min(a, b) - max(a, b)))
    case .floorQuotient: (a / b).rounded(.down)
    case .floorQuotientReversed: (b / a).rounded(.down)
    case .remainder: remainder(a, b, .toNearestOrEven)
    case .remainderReversed: remainder(b, a, .toNearestOrEven)
    }
  }

  /// The C library's functions are missing on some systems; doubles hold the product of a float and
  /// a whole number of up to 2²⁹.
  private func remainder(_ a: Float, _ b: Float, _ rule: FloatingPointRoundingRule) -> Float {
    let (a, b) = (Double(a), Double(b))
    return Float(a - (a / b).rounded(rule) * b)
  }
}
