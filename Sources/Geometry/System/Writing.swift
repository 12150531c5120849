// SPDX-License-Identifier: Apache-2.0

// How positions are written: in JSON, as the tool writes them, and as text for people.

extension Point2D: Codable {
  /// Reads `[x, y]`.
  public init(from decoder: any Decoder) throws {
    var numbers = try decoder.unkeyedContainer()
    self.init(x: try numbers.decode(Double.self), y: try numbers.decode(Double.self))
    guard numbers.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: numbers, debugDescription: "found more than two numbers, expected x and y")
    }
  }

  /// Writes `[x, y]`.
  public func encode(to encoder: any Encoder) throws {
    var numbers = encoder.unkeyedContainer()
    try numbers.encode(x)
    try numbers.encode(y)
  }
}

extension Point2D: CustomStringConvertible {
  /// `x,y`, rounded to thousandths.
  public var description: String { "\(thousandths(x)),\(thousandths(y))" }
}

extension Size2D: CustomStringConvertible {
  /// `width × height`, rounded to thousandths.
  public var description: String { "\(thousandths(width)) × \(thousandths(height))" }
}

extension Box: CustomStringConvertible {
  /// `x,y width × height`, rounded to thousandths.
  public var description: String {
    "\(Point2D(x: x, y: y)) \(Size2D(width: width, height: height))"
  }
}

/// The number rounded to thousandths, or as it is where that is out of range.
private func thousandths(_ number: Double) -> Double {
  let scaled = (1000 * number).rounded()
  return scaled.isFinite ? scaled / 1000 + 0 : number
}
