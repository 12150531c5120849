// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceGeometry

extension Landmarks {
  /// Landmarks at points in the order of `points`.
  package init(_ points: [Point2D]) {
    self.init(
      rightEye: points[0], leftEye: points[1], nose: points[2], rightMouth: points[3],
      leftMouth: points[4])
  }

  /// The right eye, the left eye, the nose and the corners of the mouth.
  package init(
    _ a: (Double, Double), _ b: (Double, Double), _ c: (Double, Double), _ d: (Double, Double),
    _ e: (Double, Double)
  ) {
    self.init([a, b, c, d, e].map { Point2D(x: $0.0, y: $0.1) })
  }
}

extension SeededGenerator {
  package mutating func double(in range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &self)
  }

  package mutating func point(in size: Double) -> Point2D {
    Point2D(x: double(in: -size...2 * size), y: double(in: -size...2 * size))
  }

  package mutating func rectangle(in size: Double) -> Box {
    Box(
      x: double(in: -size...size), y: double(in: -size...size),
      width: double(in: 0...size), height: double(in: 0...size))
  }

  /// Every combination of steps for an image and a view of random sizes.
  package mutating func spaces() throws -> [ViewSpace] {
    let image = Size2D(
      width: Double(Int.random(in: 1...8000, using: &self)),
      height: Double(Int.random(in: 1...8000, using: &self)))
    let view = Size2D(width: double(in: 1...3000), height: double(in: 1...3000))
    return try ViewSpace.all(image: image, view: view)
  }

  package mutating func landmarks(in size: Double) -> Landmarks {
    Landmarks((0..<5).map { _ in point(in: size) })
  }
}
