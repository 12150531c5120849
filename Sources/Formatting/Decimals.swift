/// A thousandth of a pixel is far below what the network can tell. Zero has no sign.
package func rounded(_ number: Double, places: Int = 3) -> Double {
  let factor = powerOfTen(places)
  return (number * factor).rounded() / factor + 0
}

/// A number with a given count of decimals; what rounds to zero has no sign.
package func fixed(_ number: Double, decimals: Int) -> String {
  let units = (number * powerOfTen(decimals)).rounded()
  // Above, a double has no decimals of its own.
  guard units.magnitude < 0x1p53 else { return "\(number)" }
  var digits = String(Int(units.magnitude))
  digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  return "\(units < 0 ? "-" : "")\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
}

private func powerOfTen(_ exponent: Int) -> Double {
  (0..<exponent).reduce(1) { product, _ in product * 10 }
}
