// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceEvaluation

struct PrecisionRecallCurveTests {
  /// The first and the third detection find two of three faces: a precision of 1 up to a recall of 1/3, 2/3 from there
  /// to 2/3, 0 beyond. The area is 1/3 · 1 + 1/3 · 2/3; of 101 recalls 34 are at most 1/3, 33 more at most 2/3.
  @Test func byHand() {
    let curve = PrecisionRecallCurve(
      faceCount: 3, detections: [(0.7, true), (0.9, true), (0.8, false)])
    let third = 1.0 / 3
    #expect(curve.recalls == [third, third, 2 * third])
    #expect(curve.precisions == [1, 0.5, 2 * third])
    #expect(
      [0, 0.33, 0.34, 0.67].map(curve.interpolatedPrecision) == [1, 1, 2 * third, 0])
    #expect(isClose(curve.averagePrecision, 5.0 / 9))
    #expect(isClose(curve.cocoAveragePrecision, 56.0 / 101))
  }

  /// All faces found, none, and none there.
  @Test(arguments: [(2, [true, true], 1.0), (2, [], 0), (0, [false], nil)])
  func theExtremes(faces: Int, detections: [Bool], average: Double?) {
    let curve = PrecisionRecallCurve(faceCount: faces, detections: detections.map { (0.9, $0) })
    #expect(curve.averagePrecision == average && curve.cocoAveragePrecision == average)
    #expect(curve.recalls.isEmpty == (average != 1))
  }
}
