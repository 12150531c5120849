// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

/// Squares of side 10 whose corners are d apart have an IoU of (10 − d) / (10 + d): 0.6 for 2.5,
/// 0.5 for 10/3, 0.43 for 4.
struct FaceMatchingTests {
  /// Faces, the corners of detections from the best score down, and what these are.
  private static let cases: [([GroundTruthFace], [Double], [FaceMatching.Outcome])] = [
    ([trueFace(at: 0)], [2.5], [.hit(0)]), ([trueFace(at: 0)], [4], [.falseAlarm]),
    ([trueFace(at: 0)], [2, 0], [.hit(0), .falseAlarm]),
    ([trueFace(at: 0), trueFace(at: 3)], [2, 2, 2], [.hit(1), .hit(0), .falseAlarm]),
    ([trueFace(at: 0, .ignored), trueFace(at: 2)], [0], [.hit(1)]),
    // Ignored faces are never taken. The fourth detection is at the top of a crowd of 40 × 40.
    (
      [trueFace(at: 0, .ignored), trueFace(at: 100, side: 40, .crowd)], [0, 1, 110, 110, 50],
      [.ignored, .ignored, .ignored, .ignored, .falseAlarm]
    ),
  ]

  @Test(arguments: cases.indices) func theOverlapDecides(index: Int) {
    let (faces, corners, outcomes) = Self.cases[index]
    let detections = corners.enumerated().map { detection(1 - Float($0) / 10, at: $1) }
    let picture = examined(faces, detections.reversed() + [detection(.nan, at: 0)])
    #expect(FaceMatching().outcomes(of: picture) == outcomes)
  }

  /// 10 × 10 in 10 × 20.
  @Test func oneHalfIsEnough() {
    let picture = examined([trueFace(at: 0)], [Face(score: 0.9, box: rectangle(0, 0, 10, 20))])
    #expect(FaceMatching().outcomes(of: picture) == [.hit(0)])
  }

  /// Faces of 10 and 20 pixels; only those from 16 to 32 count. A second detection of a face of another size, itself of
  /// a size that counts, is a false alarm.
  @Test func otherSizesAreIgnored() {
    let matching = FaceMatching(sizes: SizeRange(from: 16, to: 32))
    let picture = examined(
      [trueFace(at: 0), trueFace(at: 100, side: 20), trueFace(at: 400, side: 15)],
      [
        detection(0.9, at: 0), detection(0.8, at: 100, side: 20), detection(0.7, at: 200),
        detection(0.6, at: 300, side: 20), detection(0.5, at: 1),
        detection(0.4, at: 400, side: 15), detection(0.3, at: 400, side: 17),
      ])
    #expect(
      matching.outcomes(of: picture) == [
        .ignored, .hit(1), .ignored, .falseAlarm, .ignored, .ignored, .falseAlarm,
      ])
  }
}

struct SizeRangeTests {
  /// A box of 8 × 32 has the same area as one of 16 × 16.
  @Test func theSizeIsTheRootOfTheArea() {
    let boxes = [
      (0, 0), (15.9, 16), (8, 32), (31.9, 32), (32, 32), (95, 97), (96, 96), (999, 9999),
    ]
    .map { rectangle(0, 0, $0, $1) }
    let classes = boxes.map { box in
      SizeRange.classes.indices.filter { SizeRange.classes[$0].contains(box) }
    }
    #expect(classes == [[0], [0], [1], [1], [2], [2], [3], [3]])
    #expect(boxes.allSatisfy { SizeRange.all.contains($0) })
  }
}
