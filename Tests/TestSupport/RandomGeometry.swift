import FaceDecoding
import Geometry

extension SeededGenerator {
  package mutating func double(in range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  package mutating func point(in size: Double) -> Point {
    Point(x: double(in: -size...2 * size), y: double(in: -size...2 * size))
  }

  package mutating func rectangle(in size: Double) -> Rectangle {
    Rectangle(
      x: double(in: -size...size), y: double(in: -size...size),
      width: double(in: 0...size), height: double(in: 0...size))
  }

  package mutating func landmarks(in size: Double) -> Landmarks {
    Landmarks(
      rightEye: point(in: size), leftEye: point(in: size), nose: point(in: size),
      rightMouth: point(in: size), leftMouth: point(in: size))
  }
}
