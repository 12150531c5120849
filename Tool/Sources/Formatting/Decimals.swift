/// A number rounded to decimal places, by default to thousandths: of a pixel, these are far finer
/// than the network's accuracy. Zero has no sign.
package func rounded(_ number: Double, places: Int = 3) -> Double {
  let factor = powerOfTen(places)
  return (number * factor).rounded() / factor + 0
}

/// A number with a fixed count of decimals. A number that rounds to zero has no sign.
package func fixed(_ number: Double, decimals: Int) -> String {
  let units = (number * powerOfTen(decimals)).rounded()
  // Beyond 2⁵³ a double has no fraction.
  guard units.magnitude < 0x1p53 else { return "\(number)" }
  var digits = String(Int(units.magnitude))
  digits = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
  return "\(units < 0 ? "-" : "")\(digits.dropLast(decimals)).\(digits.suffix(decimals))"
}

/// A number of bytes in a suitable unit, whole or with one decimal: `1.5 KiB`.
package func binarySize(_ bytes: Int) -> String {
  func inUnits(of unit: Int) -> String {
    bytes.isMultiple(of: unit)
      ? "\(bytes / unit)" : fixed(Double(bytes) / Double(unit), decimals: 1)
  }
  return switch bytes {
  case ..<1024: "\(bytes) B"
  case ..<(1 << 20): "\(inUnits(of: 1024)) KiB"
  default: "\(inUnits(of: 1 << 20)) MiB"
  }
}

private func powerOfTen(_ exponent: Int) -> Double {
  (0..<exponent).reduce(1) { product, _ in product * 10 }
}
