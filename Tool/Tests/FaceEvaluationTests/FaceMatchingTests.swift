import FaceDecoding
import FaceEvaluation
import Testing

/// Squares of side 10 whose corners are d apart have an IoU of (10 − d) / (10 + d): 0.6 for 2.5,
/// 0.5 for 10/3, 0.43 for 4.
struct FaceMatchingTests {
  private func outcomes(
    _ faces: [GroundTruthFace], _ detections: [Face], _ matching: FaceMatching = FaceMatching()
  ) -> [FaceMatching.Outcome] {
    matching.outcomes(of: ExaminedPicture(name: "", faces: faces, detections: detections))
  }

  @Test func theOverlapDecides() {
    #expect(outcomes([trueFace(at: 0)], [detection(0.9, at: 2.5)]) == [.hit(0)])
    #expect(outcomes([trueFace(at: 0)], [detection(0.9, at: 4)]) == [.falseAlarm])
    // 10 × 10 in 10 × 20: exactly one half is enough.
    let half = detection(0.9, rectangle(0, 0, 10, 20))
    #expect(outcomes([trueFace(at: 0)], [half]) == [.hit(0)])
  }

  @Test func theBestScoreTakesTheFace() {
    let found = outcomes([trueFace(at: 0)], [detection(0.5, at: 0), detection(0.9, at: 2)])
    #expect(found == [.hit(0), .falseAlarm])
  }

  @Test func takesTheFaceThatOverlapsMostOfThoseLeft() {
    let faces = [trueFace(at: 0), trueFace(at: 3)]
    #expect(outcomes(faces, [detection(0.9, at: 2)]) == [.hit(1)])
    #expect(
      outcomes(faces, [detection(0.9, at: 2), detection(0.8, at: 2), detection(0.7, at: 2)])
        == [.hit(1), .hit(0), .falseAlarm])
  }

  @Test func ignoredFacesAreNeverTaken() {
    let faces = [trueFace(at: 0, .ignored), trueFace(at: 100, side: 40, .crowd)]
    let detections = [
      detection(0.9, at: 0), detection(0.8, at: 1), detection(0.7, at: 110),
      detection(0.6, at: 110), detection(0.5, at: 50),
    ]
    // The fourth face of 10 × 10 pixels is at the top of the crowd of 40 × 40.
    #expect(outcomes(faces, detections) == [.ignored, .ignored, .ignored, .ignored, .falseAlarm])
  }

  @Test func aFaceThatCountsComesFirst() {
    let faces = [trueFace(at: 0, .ignored), trueFace(at: 2)]
    #expect(outcomes(faces, [detection(0.9, at: 0)]) == [.hit(1)])
  }

  /// Faces of 10 and 20 pixels; only those from 16 to 32 count.
  @Test func otherSizesAreIgnored() {
    let matching = FaceMatching(sizes: SizeRange(from: 16, to: 32))
    let faces = [trueFace(at: 0), trueFace(at: 100, side: 20)]
    let detections = [
      detection(0.9, at: 0), detection(0.8, at: 100, side: 20), detection(0.7, at: 200),
      detection(0.6, at: 300, side: 20), detection(0.5, at: 1),
    ]
    #expect(
      outcomes(faces, detections, matching) == [.ignored, .hit(1), .ignored, .falseAlarm, .ignored])
  }

  /// A second detection of a face of another size, itself of a size that counts, is a false alarm.
  @Test func aFaceOfAnotherSizeIsTakenOnce() {
    let matching = FaceMatching(sizes: SizeRange(from: 16, to: 32))
    let found = outcomes(
      [trueFace(at: 0, side: 15)],
      [detection(0.9, at: 0, side: 15), detection(0.8, at: 0, side: 17)],
      matching)
    #expect(found == [.ignored, .falseAlarm])
  }

  @Test func detectionsWithoutAScoreAreDropped() {
    let picture = ExaminedPicture(
      name: "", faces: [], detections: [detection(.nan, at: 0), detection(0.5, at: 1)])
    #expect(picture.detections.map(\.score) == [0.5])
  }
}

struct SizeRangeTests {
  /// A box of 8 × 32 has the same area as one of 16 × 16.
  @Test func theSizeIsTheRootOfTheArea() {
    let boxes = [
      rectangle(0, 0, 15.9, 16), rectangle(0, 0, 8, 32), rectangle(0, 0, 32, 32),
      rectangle(0, 0, 95, 97), rectangle(0, 0, 96, 96),
    ]
    let classes = boxes.map { box in SizeRange.classes.firstIndex { $0.contains(box) } }
    #expect(classes == [0, 1, 2, 2, 3])
    #expect(boxes.allSatisfy { SizeRange.all.contains($0) })
  }

  @Test func everySizeIsInOneClass() {
    for side in stride(from: 0.0, to: 200, by: 0.25) {
      let count = SizeRange.classes.count { $0.contains(rectangle(0, 0, side, side)) }
      #expect(count == 1)
    }
  }
}
