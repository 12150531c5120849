// SPDX-License-Identifier: Apache-2.0
import YOLOFaceLibC
import YOLOFaceUntrusted

/// Numbers that are computed from the sizes of a layer's inputs, as pnnx writes them for networks of
/// open input size: `"4,*(0c,1h)"` is 4, and the channels of the first input times the rows of the
/// second.
///
/// An expression is a list of words, each before its operands: a number, an axis of an input (`0w`,
/// `1c`), its batch (`0n`), which is 1, or an operation. Commas and parentheses only separate them.
/// Numbers are 32-bit integers, or floats, which are truncated at the end.
/// (https://github.com/Tencent/ncnn, `src/expression.cpp`.)
package struct ShapeExpression: Hashable, Sendable {
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

  /// How many inputs there are up to the last one that the expression refers to.
  var inputCount: Int {
    words.reduce(0) { if case .size(_, let input) = $1 { max($0, input + 1) } else { $0 } }
  }

  /// The numbers for the shapes of a layer's inputs, in the order of the expression.
  ///
  /// - Returns: nil where a number has no value or does not fit 32 bits.
  func values(for inputs: [[Int]]) -> [Int]? {
    var stack: [Number] = []
    for word in words.reversed() {
      let number: Number? =
        switch word {
        case .number(let constant): constant
        case .size(_, let input) where !inputs.indices.contains(input): nil
        case .size(let axis, let input): Number(Int64(axis?.size(in: inputs[input]) ?? 1))
        case .unary(let name): unaryFunctions[name]?(stack.removeLast())
        case .binary(let name): binaryFunctions[name]?(stack.removeLast(), stack.removeLast())
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

private enum Word: Hashable {
  case number(Number)
  /// The size of an input along an axis; without one, of its batch.
  case size(BlobAxis?, input: Int)
  /// Functions of one number and of two, by their names.
  case unary(String)
  case binary(String)

  init?(_ text: UntrustedText) {
    guard let word = text.ascii else { return nil }
    let input = text.count == 2 ? text.dropLast().integer(Int.self) : nil
    let axis = text.suffix(1).ascii.flatMap { BlobAxis(rawValue: $0) }
    if unaryFunctions[word] != nil {
      self = .unary(word)
    } else if binaryFunctions[word] != nil {
      self = .binary(word)
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

  var operandCount: Int {
    switch self {
    case .number, .size: 0
    case .unary: 1
    case .binary: 2
    }
  }
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

  var real: Float { Float(value) }
}

private typealias Unary = @Sendable (Number) -> Number?
private typealias Binary = @Sendable (Number, Number) -> Number?

private let unaryFunctions: [String: Unary] = [
  "abs": { Number($0.value.magnitude, isInteger: $0.isInteger) },
  "neg": { Number(-$0.value, isInteger: $0.isInteger) },
  "sign": { Number($0.value > 0 ? 1 : $0.value < 0 ? -1 : 0, isInteger: $0.isInteger) },
  "square": { Number($0.value * $0.value, isInteger: $0.isInteger) },
  "trunc": { Number($0.value.rounded(.towardZero), isInteger: true) },
  "ceil": { Number($0.value.rounded(.up), isInteger: true) },
  "floor": { Number($0.value.rounded(.down), isInteger: true) },
  "round": { Number($0.value.rounded(.toNearestOrAwayFromZero), isInteger: true) },
  "sqrt": real { $0.squareRoot() }, "rsqrt": real { 1 / $0.squareRoot() },
  "reciprocal": real { 1 / $0 }, "exp": real(expf), "log": real(logf), "log10": real(log10f),
  "sin": real(sinf), "cos": real(cosf), "tan": real(tanf), "asin": real(asinf),
  "acos": real(acosf), "atan": real(atanf), "sinh": real(sinhf), "cosh": real(coshf),
  "tanh": real(tanhf), "asinh": real(asinhf), "acosh": real(acoshf), "atanh": real(atanhf),
  "erf": real(erff),
]

private let binaryFunctions: [String: Binary] = [
  "+": either({ $0 + $1 }, { $0 + $1 }),
  "-": either({ $0 - $1 }, { $0 - $1 }),
  "*": either({ $0 * $1 }, { $0 * $1 }),
  "/": real { $0 / $1 },
  "//": either({ $1 == 0 ? nil : $0 / $1 }, { ($0 / $1).rounded(.down) }),
  "min": either({ min($0, $1) }, { min($0, $1) }),
  "max": either({ max($0, $1) }, { max($0, $1) }),
  "and": either({ $0 & $1 }),
  "or": either({ $0 | $1 }),
  "xor": either({ $0 ^ $1 }),
  "lshift": either({ (0..<32).contains($1) ? $0 << $1 : nil }),
  "rshift": either({ (0..<32).contains($1) ? $0 >> $1 : nil }),
  "atan2": real(atan2f), "fmod": real(fmodf), "pow": real(powf),
  "remainder": real { fmodf($0, $1) + ($0 * $1 < 0 ? $1 : 0) },
  "logaddexp": real { max($0, $1) + log1pf(expf(-abs($0 - $1))) },
]

private func real(_ function: @escaping @Sendable (Float) -> Float) -> Unary {
  { Number(function($0.real)) }
}

private func real(_ function: @escaping @Sendable (Float, Float) -> Float) -> Binary {
  { Number(function($0.real, $1.real)) }
}

/// A function of integers, whose results fit 64 bits as they have 32, and one of floats.
private func either(
  _ integers: @escaping @Sendable (Int64, Int64) -> Int64?,
  _ reals: (@Sendable (Float, Float) -> Float)? = nil
) -> Binary {
  { a, b in
    a.isInteger && b.isInteger
      ? integers(Int64(a.value), Int64(b.value)).flatMap { Number($0) }
      : reals.flatMap { Number($0(a.real, b.real)) }
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
