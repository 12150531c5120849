// SPDX-License-Identifier: Apache-2.0
extension Network {
  /// The text of a `.param` file, in the style of ncnn's own tools.
  ///
  /// Reading it gives the same layers; a file written by ncnn's tools is reproduced byte for byte.
  public func paramText() -> String {
    let blobCount = layers.reduce(0) { $0 + $1.outputs.count }
    var text = "\(ParamFormat.magic)\n\(layers.count) \(blobCount)\n"
    for layer in layers {
      let names = [padded(layer.kind), padded(layer.nameInFile)]
      let counts = ["\(layer.inputs.count)", "\(layer.outputs.count)"]
      let words =
        names + counts + layer.inputs + layer.outputs + layer.parameters.pairs.map { $0.text }
      text += words.joined(separator: " ") + "\n"
    }
    return text
  }
}

private func padded(_ name: String) -> String {
  name + String(repeating: " ", count: max(0, 24 - name.utf8.count))
}

extension Parameters.Pair {
  /// The pair as written in a `.param` file.
  public var text: String {
    switch value {
    case .integers, .reals: "\(ParamFormat.arrayKeyOffset - key)=\(value.text)"
    default: "\(key)=\(value.text)"
    }
  }
}

extension ParameterValue {
  /// The value as written in a `.param` file, arrays with their length.
  var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .real(let number): scientific(number)
    case .integers(let numbers):
      (["\(numbers.count)"] + numbers.map(String.init)).joined(separator: ",")
    case .reals(let numbers):
      (["\(numbers.count)"] + numbers.map(scientific)).joined(separator: ",")
    case .string(let string): string.isBareWord ? string : "\"\(string)\""
    }
  }
}

extension String {
  /// Whether a string value needs no quotes: it begins with a letter and contains no blank.
  fileprivate var isBareWord: Bool {
    guard let first = utf8.first, (first | 0x20) >= 0x61, (first | 0x20) <= 0x7A else {
      return false
    }
    return !utf8.contains { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }
}

/// A number as C's `%e` prints it, with more digits where six do not round-trip.
private func scientific(_ number: Float) -> String {
  for digits in 6...9 {
    let text = scientific(number, digits: digits)
    if Float(text) == number { return text }
  }
  return "\(number)"
}

private func scientific(_ number: Float, digits: Int) -> String {
  let magnitude = Double(number.magnitude)
  var exponent = 0
  if magnitude > 0 {
    while scaled(magnitude, byTenTo: -exponent) >= 10 { exponent += 1 }
    while scaled(magnitude, byTenTo: -exponent) < 1 { exponent -= 1 }
  }
  var mantissa = scaled(magnitude, byTenTo: digits - exponent).rounded(.toNearestOrEven)
  if mantissa >= scaled(10, byTenTo: digits) {
    mantissa /= 10
    exponent += 1
  }
  let text = String(repeating: "0", count: mantissa == 0 ? digits : 0) + String(Int(mantissa))
  let sign = number.sign == .minus ? "-" : ""
  let exponentDigits = exponent.magnitude < 10 ? "0\(exponent.magnitude)" : "\(exponent.magnitude)"
  return "\(sign)\(text.prefix(1)).\(text.dropFirst())e\(exponent < 0 ? "-" : "+")\(exponentDigits)"
}

/// Multiplies by a power of ten, rounding only once where the power is exact, up to 10²².
private func scaled(_ number: Double, byTenTo exponent: Int) -> Double {
  var power = 1.0
  for _ in 0..<exponent.magnitude { power *= 10 }
  return exponent < 0 ? number / power : number * power
}
