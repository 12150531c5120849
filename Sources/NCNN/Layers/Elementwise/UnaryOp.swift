import LibC

/// A function of each element; angles are in radians. AbsVal and TanH are also kinds of their own, Erf only that.
struct UnaryOp: ElementwiseKind, Hashable {
  /// ncnn's number of the function.
  let number: Int

  init(number: Int) { self.number = number }

  init(_ reader: ParameterReader) throws(ModelError) {
    number = try reader.integer(0, "op_type", default: 0, in: 0...27)
  }

  func value(_ x: Float) -> Float { functions[number](x) }
}

private let functions: [@Sendable (Float) -> Float] = [
  { abs($0) }, { -$0 }, { $0.rounded(.down) }, { $0.rounded(.up) }, { $0 * $0 },
  { $0.squareRoot() }, { 1 / $0.squareRoot() }, { exp($0) }, { log($0) }, { sin($0) }, { cos($0) },
  { tan($0) }, { asin($0) }, { acos($0) }, { atan($0) }, { 1 / $0 }, { tanh($0) }, { log10($0) },
  { $0.rounded(.toNearestOrEven) }, { $0.rounded(.towardZero) }, { $0 > 0 ? 1 : $0 < 0 ? -1 : 0 },
  { expm1f($0) }, { sinhf($0) }, { asinhf($0) }, { coshf($0) }, { acoshf($0) }, { atanhf($0) },
  { log1pf($0) }, { erff($0) },
]
