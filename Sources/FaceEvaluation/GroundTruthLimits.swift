/// A decimal number within `TruthLimits.coordinate`; nil where the text is anything else.
///
/// `Double(_:)` alone would also take hexadecimal, and stop at a zero byte.
func truthNumber(_ text: String) -> Double? {
  let isDecimal = text.utf8.allSatisfy { byte in
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
  }
  guard isDecimal, let number = Double(text), number.magnitude <= TruthLimits.coordinate else {
    return nil
  }
  return number
}
