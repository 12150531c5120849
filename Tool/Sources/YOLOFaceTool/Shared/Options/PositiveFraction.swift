import ArgumentParser
import YOLOFace

/// A number above 0 as an exact fraction, written like 25, 29.97 or 30000/1001.
struct PositiveFraction: ExpressibleByArgument, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  /// At least 1, like the denominator.
  let numerator: Int32
  let denominator: Int32

  init(integerLiteral number: Int32) {
    precondition(number > 0)
    numerator = number
    denominator = 1
  }

  /// Two whole numbers separated by a slash, or one number with or without decimals. Nil if it is
  /// not above 0, or if the numerator or denominator exceeds 2³¹ − 1.
  init?(argument: String) {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    if parts.count == 2 {
      self.init(parts[0], over: parts[1])
      return
    }
    let digits = argument.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(digits.count), digits.allSatisfy({ !$0.isEmpty }) else { return nil }
    let decimals = digits.count == 2 ? digits[1] : ""
    guard decimals.count < 10 else { return nil }
    self.init(digits[0] + decimals, over: "1" + String(repeating: "0", count: decimals.count))
  }

  private init?(_ numerator: some StringProtocol, over denominator: some StringProtocol) {
    func number(_ digits: some StringProtocol) -> Int32? {
      digits.allSatisfy { ("0"..."9").contains($0) } ? Int32(digits) : nil
    }
    guard let numerator = number(numerator), let denominator = number(denominator), numerator > 0,
      denominator > 0
    else { return nil }
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The number as a time in seconds.
  var seconds: RationalTime {
    get throws(RationalTimeError) {
      try RationalTime(value: Int64(numerator), timescale: denominator)
    }
  }

  /// The time from one frame to the next at this frame rate.
  var interval: RationalTime {
    get throws(RationalTimeError) {
      try RationalTime(value: Int64(denominator), timescale: numerator)
    }
  }

  var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
