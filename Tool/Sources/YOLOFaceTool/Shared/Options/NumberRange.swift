import ArgumentParser

/// How many threads a command may use, and how many pictures it may search at the same time.
let threadCounts = 1...256

/// Refuses an option's number outside a range; nil is an option that is not given.
///
/// - Throws: `ValidationError`, as it does for NaN.
func requireNumber<Number: Comparable>(
  _ option: String, _ number: Number?, in range: ClosedRange<Number>
) throws {
  guard let number, !range.contains(number) else { return }
  throw ValidationError("\(option) \(number): give a number from \(range.words).")
}

/// Refuses an option's number below a least one, and infinity.
///
/// - Throws: `ValidationError`, as it does for NaN.
func requireNumber<Number: Comparable>(
  _ option: String, _ number: Number?, in range: PartialRangeFrom<Number>
) throws {
  guard let number else { return }
  guard range.contains(number), (number as? Double)?.isFinite != false else {
    throw ValidationError(
      "\(option) \(number): give a number of at least \(short(range.lowerBound)).")
  }
}

extension ClosedRange {
  /// The range as help and messages state it, such as `0 to 1`.
  var words: String { "\(short(lowerBound)) to \(short(upperBound))" }
}

/// A number without the decimals of a whole one.
private func short<Number>(_ number: Number) -> String {
  let text = "\(number)"
  return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}
