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

  /// Every combination of steps for an image and a view of random sizes.
  package mutating func spaces() throws -> [ViewSpace] {
    let image = Size(
      width: Double(Int.random(in: 1...8000, using: &self)),
      height: Double(Int.random(in: 1...8000, using: &self)))
    let view = Size(width: double(in: 1...3000), height: double(in: 1...3000))
    return try ViewSpace.all(image: image, view: view)
  }

  package mutating func landmarks(in size: Double) -> Landmarks {
    Landmarks(
      rightEye: point(in: size), leftEye: point(in: size), nose: point(in: size),
      rightMouth: point(in: size), leftMouth: point(in: size))
  }
}
