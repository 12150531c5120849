// SPDX-License-Identifier: Apache-2.0

// How faces are written: in JSON, as the tool writes them, and as text for people.

extension Face: Codable {
  private enum Keys: CodingKey { case score, box, landmarks, upsideDown }

  /// Reads what `encode(to:)` writes, and what `yoloface detect --json` writes of a face.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    self.init(
      score: try values.decode(Float.self, forKey: .score),
      box: try values.decode(Box.self, forKey: .box),
      landmarks: try values.decodeIfPresent(Landmarks.self, forKey: .landmarks))
    isMarkedUpsideDown = try values.decodeIfPresent(Bool.self, forKey: .upsideDown) ?? false
  }

  /// Writes the numbers unrounded, so that reading gives the same face.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(score, forKey: .score)
    try values.encode(box, forKey: .box)
    try values.encodeIfPresent(landmarks, forKey: .landmarks)
    if isMarkedUpsideDown { try values.encode(true, forKey: .upsideDown) }
  }
}

extension Face: CustomStringConvertible {
  /// The score and the box in thousandths: `score 0.918 box 178.349,54.4 94.2 × 123.4`.
  public var description: String {
    "score \((1000 * Double(score)).rounded() / 1000) box \(box)"
      + (isMarkedUpsideDown ? " upside down" : "")
  }
}

extension Landmarks: CustomStringConvertible {
  /// The five points, each with its name.
  public var description: String {
    zip(Self.names, points).map { "\($0) \($1)" }.joined(separator: " ")
  }
}
