// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFace
import YOLOFaceEvaluation

@testable import YOLOFaceTool

struct PrecisionRecallPictureTests {
  /// A chart of two faces of 50 × 50 pixels: one is found with a score of 0.9; at 0.7 there is a false alarm, at 0.3
  /// the other.
  private func chart() throws -> SVG {
    func face(_ x: Double, _ score: Float) -> Face {
      Face(score: score, box: Box(x: x, y: 0, width: 50, height: 50))
    }
    let faces = [0.0, 100].map { GroundTruthFace(box: face($0, 1).box) }
    let picture = ExaminedPicture(
      name: "a", faces: faces, detections: [face(0, 0.9), face(400, 0.7), face(100, 0.3)])
    return precisionRecallPicture(DetectorAccuracy([picture], subsets: []))
  }

  @Test func aDotMarksAScoreOfAHalf() throws {
    let chart = try chart()
    let dots = try chart.elements("circle")
    // All faces, and those of 32 to 96 pixels.
    #expect(dots.count == 2)
    #expect(dots.allSatisfy { $0.hint.hasSuffix("recall 0.500, precision 0.500") })
    // Midway between the labels 0.4 and 0.6 of both axes; digits end above their ground line.
    let labels = try chart.elements("text").filter { ["0.4", "0.6"].contains($0.content) }
    let (columns, rows) = (
      labels.filter { $0.attributes["text-anchor"] == "middle" }.map { $0["x"] },
      labels.filter { $0.attributes["text-anchor"] == "end" }.map { $0["y"] - 5 }
    )
    for dot in dots {
      #expect(abs(dot["cx"] - columns.reduce(0, +) / 2) < 0.1)
      #expect(abs(dot["cy"] - rows.reduce(0, +) / 2) < 0.1)
    }
  }

  /// The area is 0.5 · 1 + 0.5 · ⅔.
  @Test func theLegendIsBesideTheCurves() throws {
    let chart = try chart()
    let place = try chart.place(of: "0.8333: all, 2 faces")
    let curves = try chart.elements("polyline").filter { $0["stroke-width"] == 2 }
    #expect(curves.count == 2)
    #expect(curves.flatMap(\.points).allSatisfy { $0.x < place.x })
    #expect(
      try chart.elements("text").first?.content
        == "Precision over recall at an IoU of 0.5: 2 faces, 3 detections")
    _ = try chart.place(of: "–: under 16 px, 0 faces")
  }

  @Test func drawsNoPictures() throws {
    let chart = precisionRecallPicture(DetectorAccuracy([], subsets: []))
    #expect(try chart.elements("circle").isEmpty)
  }
}
