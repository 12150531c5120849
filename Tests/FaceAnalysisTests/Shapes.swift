// SPDX-License-Identifier: Apache-2.0
import TestSupport
import YOLOFaceDecoding
import YOLOFaceLibC

/// Landmarks drawn by hand in a square of 100 × 100. None of the faces is symmetric.
enum Shapes {
  /// At rest, turned a little to the person's left.
  static let neutral = Landmarks((30, 40), (70, 40), (53, 62), (36, 82), (66, 81))
  /// The corners of the mouth apart and up.
  static let smile = Landmarks((30, 40), (70, 40), (53, 61), (31, 78), (71, 77))
  /// The mouth open: its corners nearer and down.
  static let surprise = Landmarks((30, 39), (70, 39), (53, 62), (40, 92), (61, 91))
  /// The head turned to the person's left.
  static let turned = Landmarks((38, 40), (70, 41), (64, 62), (43, 82), (68, 82))

  static let all = [neutral, smile, surprise, turned]
}

extension Landmarks {
  /// Scaled, turned by degrees from the x axis to the y axis, and shifted.
  func moved(scale: Double, degrees: Double, x: Double, y: Double) -> Landmarks {
    let (cosine, sine) = (cos(degrees * .pi / 180), sin(degrees * .pi / 180))
    return map { point in
      Point2D(
        x: scale * (cosine * point.x - sine * point.y) + x,
        y: scale * (sine * point.x + cosine * point.y) + y)
    }
  }

  /// The points mirrored at the y axis.
  var mirrored: Landmarks { map { Point2D(x: -$0.x, y: $0.y) }.swappingSides() }
}
