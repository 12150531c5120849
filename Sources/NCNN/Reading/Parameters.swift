// SPDX-License-Identifier: Apache-2.0

/// The value of one `key=value` pair of a layer line.
public enum ParameterValue: Hashable, Sendable {
  /// A number without a decimal point or exponent.
  case integer(Int)
  /// A number with a decimal point or an exponent.
  case real(Float)
  /// An array without decimal points or exponents.
  case integers([Int])
  /// An array in which at least one element has a decimal point or an exponent.
  case reals([Float])
  /// A bare word or a quoted string.
  case string(String)
}

/// The `key=value` pairs of one layer line, in the order of the file.
///
/// Keys are 0 … 31 as in ncnn; key 30 holds shape hints and is kept but never interpreted.
public struct Parameters: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The pairs, in the order of the file; no key twice.
  public private(set) var pairs: [Pair] = []

  /// One `key=value` pair.
  public struct Pair: Hashable, Sendable {
    /// The parameter's number, 0 … 31.
    public var key: Int
    /// Its value.
    public var value: ParameterValue
  }

  /// The largest key that ncnn knows.
  static let maximumKey = 31

  /// No parameters: every default of the layer kind applies.
  public init() {}

  /// Parameters from a literal such as `[0: .integer(16), 1: .integer(3)]`; no key twice.
  public init(dictionaryLiteral elements: (Int, ParameterValue)...) {
    for (key, value) in elements { self[key] = value }
  }

  /// The value of a key, or nil for the default.
  public subscript(key: Int) -> ParameterValue? {
    get { pairs.first { $0.key == key }?.value }
    set {
      let index = pairs.firstIndex { $0.key == key }
      if let index { pairs.remove(at: index) }
      if let newValue {
        pairs.insert(Pair(key: key, value: newValue), at: index ?? pairs.endIndex)
      }
    }
  }
}

/// Reads typed, range-checked values out of the parameters of one layer.
struct ParameterReader {
  let parameters: Parameters
  let kind: String
  let file: String
  let line: Int

  func integer(
    _ key: Int, _ name: String, default fallback: Int,
    in range: ClosedRange<Int> = 0...Limits.integerParameter
  ) throws(ModelError) -> Int {
    let number: Int? =
      switch parameters[key] {
      // Many of ncnn's defaults, such as 0 output channels, only mean that the key is required.
      case nil: fallback
      case .integer(let number)?: number
      // Some converters write integers as 3.000000e+00.
      case .real(let number)?: Int(exactly: number)
      default: nil
      }
    if let number, range.contains(number) { return number }
    let expected = "an integer in \(range.lowerBound)…\(range.upperBound)"
    guard let value = parameters[key] else {
      throw refusal("no \(name) (key \(key))", expected: expected)
    }
    throw refusal(key, name, value, expected)
  }

  func flag(_ key: Int, _ name: String, default fallback: Bool = false) throws(ModelError) -> Bool {
    try integer(key, name, default: fallback ? 1 : 0, in: 0...1) == 1
  }

  /// A number of at least 1; a default of 0 means that the key is required.
  func size(_ key: Int, _ name: String, default fallback: Int = 0) throws(ModelError) -> Int {
    try integer(key, name, default: fallback, in: 1...Limits.integerParameter)
  }

  func real(_ key: Int, _ name: String, default fallback: Float) throws(ModelError) -> Float {
    switch parameters[key] {
    case nil: return fallback
    case .real(let number)?: return number
    case .integer(let number)?: return Float(number)
    case let value?: throw refusal(key, name, value, "a number")
    }
  }

  func integers(
    _ key: Int, _ name: String, in range: ClosedRange<Int>
  ) throws(ModelError) -> [Int] {
    let numbers: [Int]
    switch parameters[key] {
    case nil: return []
    case .integers(let array)?: numbers = array
    case .integer(let number)?: numbers = [number]
    case let value?: throw refusal(key, name, value, "an array of integers")
    }
    for number in numbers where !range.contains(number) {
      throw refusal(
        key, name, .integer(number), "integers in \(range.lowerBound)…\(range.upperBound)")
    }
    return numbers
  }

  func reals(_ key: Int, _ name: String) throws(ModelError) -> [Float] {
    switch parameters[key] {
    case nil: return []
    case .reals(let array)?: return array
    case .integers(let array)?: return array.map(Float.init)
    case .real(let number)?: return [number]
    case .integer(let number)?: return [Float(number)]
    case let value?: throw refusal(key, name, value, "an array of numbers")
    }
  }

  /// Refuses a parameter that must be absent or zero because the rest is not implemented.
  func requireUnused(_ key: Int, _ name: String) throws(ModelError) {
    switch parameters[key] {
    case nil, .integer(0)?, .integers([])?: return
    case let value?:
      throw failure(
        .unsupported, "\(kind) with \(name) (\(Parameters.Pair(key: key, value: value).text))",
        "\(kind) without \(name), which is not implemented")
    }
  }

  func refusal(
    _ key: Int, _ name: String, _ value: ParameterValue, _ expected: String
  ) -> ModelError {
    let found = "\(kind) \(name) (\(Parameters.Pair(key: key, value: value).text))"
    return failure(.parameter, found, expected)
  }

  func failure(_ reason: ModelError.Reason, _ found: String, _ expected: String) -> ModelError {
    ModelError(file: file, position: .line(line), reason: reason, found: found, expected: expected)
  }

  func refusal(_ found: String, expected: String) -> ModelError {
    failure(.parameter, "\(kind) with \(found)", expected)
  }
}
