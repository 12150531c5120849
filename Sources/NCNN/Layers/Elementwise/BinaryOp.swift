import LibC

/// Parameters of BinaryOp: arithmetic on two blobs, or on a blob and a number.
struct BinaryOp: Hashable, Sendable {
  /// The arithmetic, numbered as in ncnn; `a` is the first input, `b` the second or the number.
  enum Arithmetic: Int, Hashable, Sendable {
    /// `a + b`
    case add = 0
    /// `a − b`
    case subtract
    /// `a · b`
    case multiply
    /// `a / b`
    case divide
    /// The larger one.
    case maximum
    /// The smaller one.
    case minimum
    /// `a` to the power of `b`.
    case power
    /// `b − a`
    case subtractReversed
    /// `b / a`
    case divideReversed
    /// `b` to the power of `a`.
    case powerReversed
    /// The angle of the point (b, a).
    case arcTangent
    /// The angle of the point (a, b).
    case arcTangentReversed
    /// What is left of `a` after as many `b` as are no larger, of the sign of `a`.
    case truncatedRemainder
    /// What is left of `b` after as many `a` as are no larger, of the sign of `b`.
    case truncatedRemainderReversed
    /// `ln(eᵃ + eᵇ)`
    case logSumOfExponentials
    /// `a / b`, rounded down.
    case floorQuotient
    /// `b / a`, rounded down.
    case floorQuotientReversed
    /// What lies between `a` and the nearest multiple of `b`.
    case remainder
    /// What lies between `b` and the nearest multiple of `a`.
    case remainderReversed
  }

  /// The arithmetic.
  var arithmetic: Arithmetic
  /// The number that takes the place of the second blob, if any.
  var scalar: Float?

  init(_ reader: ParameterReader) throws(ModelError) {
    let number = try reader.integer(0, "op_type", default: 0, in: 0...18)
    arithmetic = Arithmetic(rawValue: number) ?? .add
    scalar = try reader.flag(1, "with_scalar") ? try reader.real(2, "b", default: 0) : nil
  }
}

extension BinaryOp: SingleOutputKind {
  var traits: LayerTraits { LayerTraits(inputs: scalar == nil ? 2...2 : 1...1) }

  func lowering(_ weights: [[Float]], inputs: Int) -> Lowering {
    let a = Lowering.Operand.input(0)
    let b = scalar.map { Lowering.Operand.numbers([$0]) } ?? .input(1)
    return switch arithmetic {
    case .add: .arithmetic(a, [(.add, b)])
    case .subtract: .arithmetic(a, [(.subtract, b)])
    case .multiply: .arithmetic(a, [(.multiply, b)])
    case .divide: .arithmetic(a, [(.divide, b)])
    case .maximum: .arithmetic(a, [(.maximum, b)])
    case .minimum: .arithmetic(a, [(.minimum, b)])
    case .subtractReversed: .arithmetic(b, [(.subtract, a)])
    case .divideReversed: .arithmetic(b, [(.divide, a)])
    default: .plain
    }
  }

  /// The larger size along each axis; sizes must be equal or 1.
  func outputShape(_ inputs: [[Int]]) throws(InferenceError) -> [Int] {
    guard scalar == nil else { return inputs[0] }
    let (a, b) = aligned(inputs[0], inputs[1])
    for (first, second) in zip(a, b) where first != second && first != 1 && second != 1 {
      throw InferenceError(
        .shape, found: "shapes \(inputs[0]) and \(inputs[1])", expected: "sizes equal or 1")
    }
    return zip(a, b).map { max($0, $1) }
  }

  func apply(_ inputs: [Tensor], weights: [[Float]], shape: [Int]) -> Tensor {
    if let scalar { return inputs[0].mapped { arithmetic.apply($0, scalar) } }
    let (a, b) = aligned(inputs[0].shape, inputs[1].shape)
    let (aSteps, bSteps) = (steps(a), steps(b))
    var values: [Float] = []
    values.reserveCapacity(shape.reduce(1, *))
    forEachRow(of: shape) { channel, slice, row in
      let aStart = channel * aSteps[0] + slice * aSteps[1] + row * aSteps[2]
      let bStart = channel * bSteps[0] + slice * bSteps[1] + row * bSteps[2]
      for x in 0..<shape[shape.count - 1] {
        values.append(
          arithmetic.apply(
            inputs[0].values[aStart + x * aSteps[3]], inputs[1].values[bStart + x * bSteps[3]]))
      }
    }
    return Tensor(shape, values)
  }

  func cost(inputs: [[Int]], output: [Int]) -> Cost {
    .perElement(of: output, steps: arithmetic.steps)
  }

  func reading(inputs: [[Int]], output: [Int]) -> CellReading { .joined }
}

/// Both shapes with the larger number of axes, by ncnn's rule: a single axis matches the outermost
/// axis of the other blob where their sizes agree, else the innermost; more match the outermost ones.
private func aligned(_ a: [Int], _ b: [Int]) -> ([Int], [Int]) {
  (expanded(a, beside: b), expanded(b, beside: a))
}

private func expanded(_ shape: [Int], beside other: [Int]) -> [Int] {
  let missing = other.count - shape.count
  guard missing > 0 else { return shape }
  let ones = Array(repeating: 1, count: missing)
  return shape.count > 1 || shape[0] == other[0] ? shape + ones : ones + shape
}

/// The distance between neighbours along each of four axes; 0 along an axis of one element.
private func steps(_ shape: [Int]) -> [Int] {
  fourAxes(zip(shape, strides(of: shape)).map { $0 == 1 ? 0 : $1 }, missing: 0)
}

extension BinaryOp.Arithmetic {
  fileprivate var steps: Int64 {
    switch self {
    case .power, .powerReversed, .arcTangent, .arcTangentReversed, .truncatedRemainder,
      .truncatedRemainderReversed, .logSumOfExponentials, .floorQuotient, .floorQuotientReversed,
      .remainder, .remainderReversed:
      Cost.exponential
    case .add, .subtract, .multiply, .divide, .maximum, .minimum, .subtractReversed,
      .divideReversed:
      1
    }
  }

  func apply(_ a: Float, _ b: Float) -> Float {
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

  /// The C library's functions are missing on some systems; doubles hold the product of a float and a whole
  /// number of up to 2²⁹.
  private func remainder(_ a: Float, _ b: Float, _ rule: FloatingPointRoundingRule) -> Float {
    let (a, b) = (Double(a), Double(b))
    return Float(a - (a / b).rounded(rule) * b)
  }
}
