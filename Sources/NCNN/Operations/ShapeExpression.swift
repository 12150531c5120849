import LibC
import Untrusted

/// Numbers that are computed from the sizes of a layer's inputs, as pnnx writes them for networks of
/// open input size: `"4,*(0c,1h)"` is 4, and the channels of the first input times the rows of the
/// second.
///
/// An expression is a list of words, each before its operands: a number, an axis of an input (`0w`,
/// `1c`), its batch (`0n`), which is 1, or an operation. Commas and parentheses only separate them.
/// Numbers are 32-bit integers, or floats, which are truncated at the end.
/// (https://github.com/Tencent/ncnn, `src/expression.cpp`.)
public struct ShapeExpression: Hashable, Sendable {
  fileprivate enum Word: Hashable {
    case number(Number)
    /// The size of an input along an axis; without one, of its batch.
    case size(BlobAxis?, input: Int)
    case unary(UnaryFunction)
    case binary(BinaryFunction)
  }

  fileprivate enum UnaryFunction: String {
    case abs, neg, sign, square, trunc, ceil, floor, round
    case sqrt, rsqrt, reciprocal, exp, log, log10, sin, cos, tan, asin, acos, atan
    case sinh, cosh, tanh, asinh, acosh, atanh, erf
  }

  fileprivate enum BinaryFunction: String {
    case min, max, atan2, fmod, remainder, pow, logaddexp, and, or, xor, lshift, rshift
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    case divide = "/"
    case divideWhole = "//"
  }

  /// How many inputs there are up to the last one that the expression refers to.
  var inputCount: Int {
    words.reduce(0) { if case .size(_, let input) = $1 { max($0, input + 1) } else { $0 } }
  }

  /// How many numbers the expression gives.
  let count: Int
  private let words: [Word]

  /// Reads an expression; nil where a word is not known or lacks operands.
  init?(_ text: String) {
    let parts = UntrustedText(text).split { "(),".utf8.contains($0) }
    words = parts.compactMap { Word($0) }
    var count = 0
    for word in words.reversed() {
      guard count >= word.operandCount else { return nil }
      count += 1 - word.operandCount
    }
    self.count = count
    guard words.count == parts.count, count > 0 else { return nil }
  }

  /// The numbers for the shapes of a layer's inputs, in the order of the expression.
  ///
  /// - Returns: nil where a number has no value or does not fit 32 bits.
  public func values(for inputs: [[Int]]) -> [Int]? {
    var stack: [Number] = []
    for word in words.reversed() {
      let number: Number?
      switch word {
      case .number(let constant): number = constant
      case .size(let axis, let input):
        guard inputs.indices.contains(input) else { return nil }
        number = Number(Double(axis?.size(in: inputs[input]) ?? 1), isInteger: true)
      case .unary(let function): number = function.value(stack.removeLast())
      case .binary(let function): number = function.value(stack.removeLast(), stack.removeLast())
      }
      guard let number else { return nil }
      stack.append(number)
    }
    let values = stack.reversed().compactMap { Int32(exactly: $0.value.rounded(.towardZero)) }
    return values.count == count ? values.map { Int($0) } : nil
  }

  /// How many inputs a layer has whose expressions refer to this many: one, or no fewer.
  static func layerInputs(_ count: Int) -> ClosedRange<Int> { count > 1 ? count...Int.max : 1...1 }
}

/// An integer of 32 bits or a float.
private struct Number: Hashable {
  let value: Double
  let isInteger: Bool

  /// The number, rounded to a float if it is not an integer; nil where it is not finite or does not fit.
  init?(_ value: Double, isInteger: Bool) {
    self.value = isInteger ? value : Double(Float(value))
    self.isInteger = isInteger
    guard isInteger ? Int32(exactly: value) != nil : self.value.isFinite else { return nil }
  }

  init?(_ value: Float) { self.init(Double(value), isInteger: false) }

  init?(_ value: Int64) { self.init(Double(value), isInteger: true) }

  /// As a float.
  var real: Float { Float(value) }
}

extension ShapeExpression.Word {
  fileprivate init?(_ text: UntrustedText) {
    guard let word = text.ascii else { return nil }
    let input = text.count == 2 ? text.dropLast().integer(Int.self) : nil
    let axis = text.last.flatMap { BlobAxis(letter: $0) }
    if let function = ShapeExpression.UnaryFunction(rawValue: word) {
      self = .unary(function)
    } else if let function = ShapeExpression.BinaryFunction(rawValue: word) {
      self = .binary(function)
    } else if let input, axis != nil || text.last == UInt8(ascii: "n") {
      self = .size(axis, input: input)
    } else if let value = text.integer(Int32.self).map({ Double($0) })
      ?? text.decimal(upTo: Float.greatestFiniteMagnitude).map({ Double($0) }),
      let number = Number(value, isInteger: Int32(exactly: value) != nil)
    {
      self = .number(number)
    } else {
      return nil
    }
  }

  fileprivate var operandCount: Int {
    switch self {
    case .number, .size: 0
    case .unary: 1
    case .binary: 2
    }
  }
}

extension ShapeExpression.UnaryFunction {
  fileprivate func value(_ x: Number) -> Number? {
    switch self {
    case .abs: Number(x.value.magnitude, isInteger: x.isInteger)
    case .neg: Number(-x.value, isInteger: x.isInteger)
    case .sign: Number(x.value > 0 ? 1 : x.value < 0 ? -1 : 0, isInteger: x.isInteger)
    case .square: Number(x.value * x.value, isInteger: x.isInteger)
    case .trunc: Number(x.value.rounded(.towardZero), isInteger: true)
    case .ceil: Number(x.value.rounded(.up), isInteger: true)
    case .floor: Number(x.value.rounded(.down), isInteger: true)
    case .round: Number(x.value.rounded(.toNearestOrAwayFromZero), isInteger: true)
    default: Number(value(x.real))
    }
  }

  /// The functions that always give a float.
  private func value(_ x: Float) -> Float {
    switch self {
    case .sqrt: x.squareRoot()
    case .rsqrt: 1 / x.squareRoot()
    case .reciprocal: 1 / x
    case .exp: expf(x)
    case .log: logf(x)
    case .log10: log10f(x)
    case .sin: sinf(x)
    case .cos: cosf(x)
    case .tan: tanf(x)
    case .asin: asinf(x)
    case .acos: acosf(x)
    case .atan: atanf(x)
    case .sinh: sinhf(x)
    case .cosh: coshf(x)
    case .tanh: tanhf(x)
    case .asinh: asinhf(x)
    case .acosh: acoshf(x)
    case .atanh: atanhf(x)
    case .erf: erff(x)
    case .abs, .neg, .sign, .square, .trunc, .ceil, .floor, .round: .nan
    }
  }
}

extension ShapeExpression.BinaryFunction {
  fileprivate func value(_ a: Number, _ b: Number) -> Number? {
    let (x, y) = (a.real, b.real)
    switch self {
    case .divide: return Number(x / y)
    case .atan2: return Number(atan2f(x, y))
    case .fmod: return Number(fmodf(x, y))
    case .remainder: return Number(fmodf(x, y) + (x * y < 0 ? y : 0))
    case .pow: return Number(powf(x, y))
    case .logaddexp: return Number(Swift.max(x, y) + log1pf(expf(-abs(x - y))))
    default: return a.isInteger && b.isInteger ? value(Int64(a.value), Int64(b.value)) : value(x, y)
    }
  }

  private func value(_ x: Float, _ y: Float) -> Number? {
    switch self {
    case .add: Number(x + y)
    case .subtract: Number(x - y)
    case .multiply: Number(x * y)
    case .divideWhole: Number((x / y).rounded(.down))
    case .min: Number(Swift.min(x, y))
    case .max: Number(Swift.max(x, y))
    default: nil
    }
  }

  /// Of numbers of 32 bits, the results fit 64.
  private func value(_ x: Int64, _ y: Int64) -> Number? {
    switch self {
    case .add: Number(x + y)
    case .subtract: Number(x - y)
    case .multiply: Number(x * y)
    case .divideWhole: y == 0 ? nil : Number(x / y)
    case .min: Number(Swift.min(x, y))
    case .max: Number(Swift.max(x, y))
    case .and: Number(x & y)
    case .or: Number(x | y)
    case .xor: Number(x ^ y)
    case .lshift: (0..<32).contains(y) ? Number(x << y) : nil
    case .rshift: (0..<32).contains(y) ? Number(x >> y) : nil
    default: nil
    }
  }
}

extension ParameterReader {
  /// The expression under a key, nil where there is none; it gives at most `count` numbers.
  func expression(
    _ key: Int, _ name: String, atMost count: Int = 4
  ) throws(ModelError) -> ShapeExpression? {
    guard case .string(let text)? = parameters[key] else {
      try requireUnused(key, name)
      return nil
    }
    guard let expression = ShapeExpression(text), expression.count <= count else {
      throw refusal("\(name) \(text)", expected: "up to \(count) sizes such as 4,*(0c,0h)")
    }
    return expression
  }
}
