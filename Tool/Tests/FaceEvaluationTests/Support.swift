import FaceDecoding
import FaceEvaluation

func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Rectangle {
  Rectangle(x: x, y: y, width: width, height: height)
}

/// A square face with its corner at (`x`, 0).
func trueFace(
  at x: Double, side: Double = 10, _ standing: GroundTruthFace.Standing = .counted
) -> GroundTruthFace {
  GroundTruthFace(box: rectangle(x, 0, side, side), standing: standing)
}

/// A square detection with its corner at (`x`, 0).
func detection(_ score: Float, at x: Double, side: Double = 10) -> Face {
  detection(score, rectangle(x, 0, side, side))
}

func detection(_ score: Float, _ box: Rectangle) -> Face { Face(score: score, box: box) }

/// Whether two numbers are equal up to rounding.
func isClose(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-12 }

/// The error of reading something.
func truthError(_ read: () throws -> Void) -> GroundTruthError? {
  do {
    try read()
    return nil
  } catch {
    return error as? GroundTruthError
  }
}
