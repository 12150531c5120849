import FaceEvaluation
import Testing

struct PrecisionRecallCurveTests {
  /// The first and the third detection find two of three faces.
  private let curve = PrecisionRecallCurve(
    faceCount: 3, detections: [(0.7, true), (0.9, true), (0.8, false)])

  private let third = 1.0 / 3

  @Test func precisionAndRecallAfterEachDetection() {
    #expect(curve.recalls == [third, third, 2 * third])
    #expect(curve.precisions == [1, 0.5, 2 * third])
  }

  /// 1 up to a recall of 1/3, 2/3 from there to 2/3, 0 beyond.
  @Test func interpolatesByTheBestThatFollows() {
    #expect(curve.interpolatedPrecision(atRecall: 0) == 1)
    #expect(curve.interpolatedPrecision(atRecall: 0.33) == 1)
    #expect(curve.interpolatedPrecision(atRecall: 0.34) == 2 * third)
    #expect(curve.interpolatedPrecision(atRecall: 0.67) == 0)
  }

  /// The area is 1/3 · 1 + 1/3 · 2/3; of 101 recalls 34 are at most 1/3, 33 more at most 2/3.
  @Test func averagePrecisionByHand() throws {
    let area = try #require(curve.averagePrecision)
    #expect(isClose(area, 5.0 / 9))
    let mean = try #require(curve.cocoAveragePrecision)
    #expect(isClose(mean, 56.0 / 101))
  }

  @Test func theExtremes() {
    let perfect = PrecisionRecallCurve(faceCount: 2, detections: [(0.9, true), (0.8, true)])
    #expect(perfect.averagePrecision == 1)
    #expect(perfect.cocoAveragePrecision == 1)
    let blind = PrecisionRecallCurve(faceCount: 2, detections: [])
    #expect(blind.averagePrecision == 0)
    #expect(blind.cocoAveragePrecision == 0)
    let faceless = PrecisionRecallCurve(faceCount: 0, detections: [(0.9, false)])
    #expect(faceless.averagePrecision == nil)
    #expect(faceless.cocoAveragePrecision == nil)
    #expect(faceless.recalls.isEmpty)
  }

  @Test func takesPicturesTogether() throws {
    let pictures = [
      ExaminedPicture(
        name: "a", faces: [trueFace(at: 0), trueFace(at: 50, .ignored)],
        detections: [detection(0.5, at: 0), detection(0.6, at: 50)]),
      ExaminedPicture(name: "b", faces: [trueFace(at: 0)], detections: [detection(0.7, at: 80)]),
    ]
    let curve = PrecisionRecallCurve(pictures)
    #expect(curve.faceCount == 2)
    #expect(curve.recalls == [0, 0.5])
    #expect(try #require(curve.averagePrecision) == 0.25)
  }
}
