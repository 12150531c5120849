// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceAnalysis
import YOLOFaceDecoding

struct FaceSelectionTests {
  private static func face(_ score: Float, _ x: Double, _ y: Double, _ side: Double) -> Face {
    Face(score: score, box: Box(x: x, y: y, width: side, height: side))
  }

  private let size = Size2D(width: 200, height: 100)
  private let corner = face(0.9, 0, 0, 20)
  private let large = face(0.6, 120, 10, 60)
  private let middle = face(0.7, 85, 35, 30)

  private static let left = Box(x: 0, y: 0, width: 100, height: 100)

  @Test(
    arguments: [
      (FaceSelection(), [0.9, 0.7, 0.6]),
      (FaceSelection(preference: .biggest), [0.6, 0.7, 0.9]),
      // Distances of the centres from (100, 50): 0, about 51, about 98.
      (FaceSelection(preference: .central), [0.7, 0.6, 0.9]),
      (FaceSelection(minimumSide: 30), [0.7, 0.6]), (FaceSelection(minimumSide: 30.001), [0.6]),
      // The centre of `middle` is on the region's edge.
      (FaceSelection(region: left), [0.9, 0.7]),
      (FaceSelection(preference: .central, region: left), [0.7, 0.9]),
      (FaceSelection(maximumCount: 0), []), (FaceSelection(maximumCount: 1), [0.9]),
      (FaceSelection(maximumCount: 9), [0.9, 0.7, 0.6]), (FaceSelection(maximumCount: -1), []),
    ] as [(FaceSelection, [Float])])
  func selects(selection: FaceSelection, scores: [Float]) {
    let selected = selection.select(from: [large, corner, middle], in: size)
    #expect(selected.map(\.score) == scores)
  }

  @Test func breaksTiesByScoreThenByOrder() {
    let faces = [Self.face(0.5, 0, 0, 10), Self.face(0.8, 30, 0, 10), Self.face(0.5, 60, 0, 10)]
    let selected = FaceSelection(preference: .biggest).select(from: faces, in: size)
    #expect(selected == [faces[1], faces[0], faces[2]])
  }

  @Test(arguments: FaceSelection.Preference.allCases)
  func ranksNaNScoresLast(preference: FaceSelection.Preference) {
    let faces = [0.5, .nan, 0.9, .nan, 0.7].map { Self.face($0, 0, 0, 10) }
    let selected = FaceSelection(preference: preference).select(from: faces, in: size)
    #expect(selected.prefix(3).map(\.score) == [0.9, 0.7, 0.5])
    #expect(selected.count == 5)
  }

  @Test(arguments: [Double.nan, .infinity, 0, -5])
  func facesWithoutAreaNeverCount(side: Double) {
    #expect(FaceSelection().select(from: [Self.face(0.9, 0, 0, side)], in: size) == [])
  }
}
