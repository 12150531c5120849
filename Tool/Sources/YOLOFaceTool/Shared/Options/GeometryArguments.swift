import ArgumentParser
import YOLOFace

/// The size of a picture, written WIDTHxHEIGHT; each side is at most 2¹⁵.
struct ImageSize: ExpressibleByArgument, CustomStringConvertible {
  var width: Int
  var height: Int

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      (1...1 << 15).contains(width), (1...1 << 15).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }

  var description: String { "\(width)x\(height)" }
}

extension Rectangle: @retroactive ExpressibleByArgument {
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
    self.init(center: Point(x: numbers[0], y: numbers[1]), radius: numbers[2])
  }
}

/// This many comma-separated numbers, each of a magnitude of at most a billion; nil otherwise.
private func numbers(in text: String, count: Int) -> [Double]? {
  let parts = text.split(separator: ",", omittingEmptySubsequences: false)
  let numbers = parts.compactMap { Double($0) }.filter { abs($0) <= 1e9 }
  return parts.count == count && numbers.count == count ? numbers : nil
}
