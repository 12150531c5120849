// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import YOLOFace
import YOLOFaceLibC

/// How many threads a command may use, and how many pictures it may search at the same time.
let threadCounts = 1...256

let processorCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

/// Refuses an option's number outside a range, and NaN; nil is an option that is not given.
func requireNumber<Number: Comparable>(
  _ option: String, _ number: Number?, in range: ClosedRange<Number>
) throws {
  guard let number, !range.contains(number) else { return }
  throw ValidationError("\(option) \(number): give a number from \(range.words).")
}

/// Refuses an option's number below a least one, infinity and NaN.
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

/// An option's value that names one of a type's cases.
public protocol NamedArgument: ExpressibleByArgument, CaseIterable {
  /// The name.
  var argument: String { get }
}

extension NamedArgument {
  /// The case of a name.
  public init?(argument: String) {
    guard let value = Self.allCases.first(where: { $0.argument == argument }) else { return nil }
    self = value
  }

  /// The names.
  public static var allValueStrings: [String] { allCases.map(\.argument) }
}

/// The size of a picture, written WIDTHxHEIGHT; each side is at most 2¹⁵.
struct ImageSize: CustomStringConvertible {
  var width, height: Int

  var description: String { "\(width)x\(height)" }
}

extension ImageSize: ExpressibleByArgument {
  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...1 << 15).contains(width), (1...1 << 15).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}

extension Letterbox.Style {
  /// The input that a picture of 640 × 480 is fitted into where no size is asked for.
  var usualSize: ImageSize? {
    let letterbox = try? Letterbox(
      imageWidth: 640, imageHeight: 480, mode: standardMode, style: self)
    return letterbox.map { ImageSize(width: $0.inputWidth, height: $0.inputHeight) }
  }

  /// Whether the network is fed otherwise than with a long side where no size is asked for.
  var hasSizeOfItsOwn: Bool { if case .longSide = standardMode { false } else { true } }
}

extension Box: @retroactive ExpressibleByArgument {
  /// A rectangle as four comma-separated numbers: x, y, and a width and height above 0.
  public init?(argument: String) {
    guard let numbers = numbers(in: argument, count: 4), numbers[2] > 0, numbers[3] > 0 else {
      return nil
    }
    self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}

extension CircularMask: @retroactive ExpressibleByArgument {
  /// A circle as three comma-separated numbers: x, y, and a radius above 0.
  public init?(argument: String) {
    guard let numbers = numbers(in: argument, count: 3), numbers[2] > 0 else { return nil }
    self.init(center: Point2D(x: numbers[0], y: numbers[1]), radius: numbers[2])
  }
}

/// This many comma-separated numbers, each of a magnitude of at most a billion; nil otherwise.
private func numbers(in text: String, count: Int) -> [Double]? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  let numbers = parts.compactMap { Double($0) }.filter { abs($0) <= 1e9 }
  return parts.count == count && numbers.count == count ? numbers : nil
}

/// A number above 0 as an exact fraction of numbers up to 2³¹ − 1, written like 25, 29.97 or 30000/1001.
struct PositiveFraction: ExpressibleByArgument, ExpressibleByIntegerLiteral,
  CustomStringConvertible
{
  let numerator, denominator: Int32

  init(integerLiteral number: Int32) { (numerator, denominator) = (number, 1) }

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
    (self.numerator, self.denominator) = (numerator, denominator)
  }

  var seconds: RationalTime {
    get throws(ValueError) {
      try RationalTime(value: Int(numerator), timescale: Int(denominator))
    }
  }

  /// The time from one frame to the next at this frame rate.
  var interval: RationalTime {
    get throws(ValueError) {
      try RationalTime(value: Int(denominator), timescale: Int(numerator))
    }
  }

  var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }
}
