// How positions are written: in JSON, as the tool writes them, and as text for people.

extension Point: Codable {
  /// Reads `[x, y]`.
  ///
  /// - Throws: `DecodingError` for anything else.
  public init(from decoder: any Decoder) throws {
    var numbers = try decoder.unkeyedContainer()
    self.init(x: try numbers.decode(Double.self), y: try numbers.decode(Double.self))
    guard numbers.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: numbers, debugDescription: "found more than two numbers, expected x and y")
    }
  }

  /// Writes `[x, y]`.
  ///
  /// - Throws: `EncodingError` where the encoder does not write a number, such as NaN.
  public func encode(to encoder: any Encoder) throws {
    var numbers = encoder.unkeyedContainer()
    try numbers.encode(x)
    try numbers.encode(y)
  }
}

private enum Keys: CodingKey { case x, y, width, height }

extension Size: Codable {
  /// Reads `width` and `height`.
  ///
  /// - Throws: `DecodingError` where one is missing.
  public init(from decoder: any Decoder) throws {
    let numbers = try decoder.container(keyedBy: Keys.self)
    self.init(
      width: try numbers.decode(Double.self, forKey: .width),
      height: try numbers.decode(Double.self, forKey: .height))
  }

  /// Writes `width` and `height`.
  ///
  /// - Throws: `EncodingError` where the encoder does not write a number, such as NaN.
  public func encode(to encoder: any Encoder) throws {
    var numbers = encoder.container(keyedBy: Keys.self)
    try numbers.encode(width, forKey: .width)
    try numbers.encode(height, forKey: .height)
  }
}

extension Rectangle: Codable {
  /// Reads `x`, `y`, `width` and `height`.
  ///
  /// - Throws: `DecodingError` where one is missing.
  public init(from decoder: any Decoder) throws {
    let numbers = try decoder.container(keyedBy: Keys.self)
    self.init(
      x: try numbers.decode(Double.self, forKey: .x),
      y: try numbers.decode(Double.self, forKey: .y),
      width: try numbers.decode(Double.self, forKey: .width),
      height: try numbers.decode(Double.self, forKey: .height))
  }

  /// Writes `x`, `y`, `width` and `height`.
  ///
  /// - Throws: `EncodingError` where the encoder does not write a number, such as NaN.
  public func encode(to encoder: any Encoder) throws {
    var numbers = encoder.container(keyedBy: Keys.self)
    try numbers.encode(x, forKey: .x)
    try numbers.encode(y, forKey: .y)
    try numbers.encode(width, forKey: .width)
    try numbers.encode(height, forKey: .height)
  }
}

extension Point: CustomStringConvertible {
  /// `x,y`, rounded to thousandths.
  public var description: String { "\(thousandths(x)),\(thousandths(y))" }
}

extension Size: CustomStringConvertible {
  /// `width × height`, rounded to thousandths.
  public var description: String { "\(thousandths(width)) × \(thousandths(height))" }
}

extension Rectangle: CustomStringConvertible {
  /// `x,y width × height`, rounded to thousandths.
  public var description: String { "\(Point(x: x, y: y)) \(Size(width: width, height: height))" }
}

/// The number rounded to thousandths, or as it is where that is out of range.
private func thousandths(_ number: Double) -> Double {
  let scaled = (1000 * number).rounded()
  return scaled.isFinite ? scaled / 1000 + 0 : number
}
