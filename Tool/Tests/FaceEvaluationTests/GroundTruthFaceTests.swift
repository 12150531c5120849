import FaceDecoding
import FaceEvaluation
import Testing

struct GroundTruthFaceTests {
  @Test func emptyBoxesAreIgnored() {
    #expect(GroundTruthFace(box: rectangle(3, 4, 0, 5)).standing == .ignored)
    #expect(GroundTruthFace(box: rectangle(3, 4, 5, 5)).standing == .counted)
    #expect(GroundTruthFace(box: rectangle(3, 4, 0, 5), standing: .crowd).standing == .crowd)
  }

  /// Boxes of 10 × 10 and 20 × 10 that share 5 × 10: 50 of 250, or of the detection's 100.
  @Test func aCrowdIsMeasuredByTheDetection() {
    let found = rectangle(0, 0, 10, 10)
    let box = rectangle(5, 0, 20, 10)
    #expect(GroundTruthFace(box: box).overlap(with: found) == 0.2)
    #expect(GroundTruthFace(box: box, standing: .ignored).overlap(with: found) == 0.2)
    #expect(GroundTruthFace(box: box, standing: .crowd).overlap(with: found) == 0.5)
    let crowd = GroundTruthFace(box: rectangle(50, 0, 20, 10), standing: .crowd)
    #expect(crowd.overlap(with: found) == 0)
    #expect(crowd.overlap(with: rectangle(55, 5, 0, 0)) == 0)
  }
}
