import FaceDecoding

/// SplitMix64 (Steele, Lea and Flood 2014): the same numbers in every run.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func double(in range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  mutating func point(in size: Double) -> Point {
    Point(x: double(in: -size...2 * size), y: double(in: -size...2 * size))
  }

  mutating func rectangle(in size: Double) -> Rectangle {
    Rectangle(
      x: double(in: -size...size), y: double(in: -size...size),
      width: double(in: 0...size), height: double(in: 0...size))
  }

  mutating func landmarks(in size: Double) -> Landmarks {
    Landmarks(
      rightEye: point(in: size), leftEye: point(in: size), nose: point(in: size),
      rightMouth: point(in: size), leftMouth: point(in: size))
  }
}
