// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// A moment or a duration in seconds as an exact fraction, value / timescale, like Core Media's
/// CMTime: frame n of a video of 30000/1001 frames per second is at n · 1001 / 30000 s.
///
/// Values are compared as fractions: 1/2 equals 300/600. What cannot be written exactly is an error.
public struct RationalTime: Sendable {
  /// The numerator; may be negative.
  public let value: Int
  /// The denominator, the parts that make a second: from 1 to 2³¹ − 1, as in Core Media.
  public let timescale: Int

  /// A time of `value / timescale` seconds, which is not reduced.
  ///
  /// - Throws: `ValueError` where the timescale is not from 1 to 2³¹ − 1.
  public init(value: Int, timescale: Int) throws(ValueError) {
    guard (1...Int(Int32.max)).contains(timescale) else {
      throw ValueError("found a timescale of \(timescale), expected one from 1 to \(Int32.max)")
    }
    (self.value, self.timescale) = (value, timescale)
  }

  /// A time of whole seconds, with the timescale 1.
  public init(seconds: Int) { (value, timescale) = (seconds, 1) }

  /// 0 seconds, in the timescale of another time.
  init(zeroIn other: RationalTime) { (value, timescale) = (0, other.timescale) }

  /// The time in seconds, rounded to a `Double`.
  public var seconds: Double { Double(value) / Double(timescale) }

  /// The exact sum. Its timescale is the least common multiple of both, or, where the sum does not
  /// fit that, the denominator in lowest terms.
  ///
  /// - Throws: `ValueError` where the sum does not fit in lowest terms either.
  public func adding(_ other: RationalTime) throws(ValueError) -> RationalTime {
    try RationalTime(self, 1, other, "+")
  }

  /// The exact difference, in the timescale that a sum would have.
  ///
  /// - Throws: `ValueError` where no value and timescale can hold it.
  public func subtracting(_ other: RationalTime) throws(ValueError) -> RationalTime {
    try RationalTime(self, -1, other, "−")
  }

  /// a + sign · b over their least common timescale where that fits, otherwise in lowest terms.
  private init(
    _ a: RationalTime, _ sign: Int128, _ b: RationalTime, _ name: String
  ) throws(ValueError) {
    let (ours, theirs) = (Int128(a.timescale), Int128(b.timescale))
    let denominator = ours / greatestCommonDivisor(ours, theirs) * theirs
    let numerator =
      Int128(a.value) * (denominator / ours) + sign * Int128(b.value) * (denominator / theirs)
    let divisor = greatestCommonDivisor(numerator, denominator)
    for divisor in [1, divisor] {
      if let value = Int(exactly: numerator / divisor),
        let timescale = Int32(exactly: denominator / divisor)
      {
        (self.value, self.timescale) = (value, Int(timescale))
        return
      }
    }
    throw ValueError(
      "found a time of \(a) \(name) \(b), expected one with a 64-bit value and a 32-bit timescale")
  }
}

extension RationalTime: Comparable {
  /// Whether both are equal fractions, whatever their timescales.
  public static func == (a: RationalTime, b: RationalTime) -> Bool {
    Int128(a.value) * Int128(b.timescale) == Int128(b.value) * Int128(a.timescale)
  }

  /// Whether the first is earlier, or shorter.
  public static func < (a: RationalTime, b: RationalTime) -> Bool {
    Int128(a.value) * Int128(b.timescale) < Int128(b.value) * Int128(a.timescale)
  }
}

extension RationalTime: Hashable {
  /// Hashes the fraction in lowest terms, as equality requires.
  public func hash(into hasher: inout Hasher) {
    let divisor = greatestCommonDivisor(Int128(value), Int128(timescale))
    hasher.combine(Int128(value) / divisor)
    hasher.combine(Int128(timescale) / divisor)
  }
}

extension RationalTime: Codable {
  private enum CodingKeys: CodingKey { case value, timescale }

  /// Reads `{"value": n, "timescale": n}`, which is what is written.
  public init(from decoder: any Decoder) throws {
    let numbers = try decoder.container(keyedBy: CodingKeys.self)
    do {
      try self.init(
        value: numbers.decode(Int.self, forKey: .value),
        timescale: numbers.decode(Int.self, forKey: .timescale))
    } catch let error as ValueError {
      throw DecodingError.dataCorruptedError(
        forKey: .timescale, in: numbers, debugDescription: error.description)
    }
  }
}

extension RationalTime: CustomStringConvertible {
  /// `value/timescale s`.
  public var description: String { "\(value)/\(timescale) s" }
}

extension RationalTime {
  /// The same time, truncated to whole attoseconds, so that equal times stay equal.
  public var duration: Duration {
    let (seconds, rest) = value.quotientAndRemainder(dividingBy: timescale)
    let attoseconds = Int128(rest) * 1_000_000_000_000_000_000 / Int128(timescale)
    return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(attoseconds))
  }
}

/// At least 1 where `b` is positive.
private func greatestCommonDivisor(_ a: Int128, _ b: Int128) -> Int128 {
  var (a, b) = (a.magnitude, b.magnitude)
  while b != 0 { (a, b) = (b, a % b) }
  return Int128(a)
}
