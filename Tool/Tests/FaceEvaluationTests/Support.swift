// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding
import YOLOFaceEvaluation

func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> Box {
  Box(x: x, y: y, width: width, height: height)
}

/// A square face with its corner at (`x`, 0).
func trueFace(
  at x: Double, side: Double = 10, _ standing: GroundTruthFace.Standing = .counted,
  landmarks: Landmarks? = nil
) -> GroundTruthFace {
  GroundTruthFace(box: rectangle(x, 0, side, side), landmarks: landmarks, standing: standing)
}

/// A square detection with its corner at (`x`, 0).
func detection(_ score: Float, at x: Double, side: Double = 10) -> Face {
  Face(score: score, box: rectangle(x, 0, side, side))
}

func examined(
  _ faces: [GroundTruthFace], _ detections: [Face], name: String = "a"
) -> ExaminedPicture {
  ExaminedPicture(name: name, faces: faces, detections: detections)
}

/// Whether two numbers are equal up to rounding.
func isClose(_ a: Double?, _ b: Double) -> Bool { a.map { abs($0 - b) < 1e-12 } == true }

/// The error of reading something, in words; empty where there is none.
func refusal(_ read: () throws -> Void) -> String {
  do {
    try read()
    return ""
  } catch {
    return (error as? GroundTruthError)?.description ?? "another error"
  }
}
