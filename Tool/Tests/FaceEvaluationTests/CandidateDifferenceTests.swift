import FaceDecoding
import FaceEvaluation
import Testing

struct CandidateDifferenceTests {
  private func candidate(_ score: Float, x: Double, column: Int = 0) -> Candidate {
    Candidate(
      face: Face(score: score, box: Rectangle(x: x, y: 0, width: 8, height: 2)), anchor: 0, row: 0,
      column: column)
  }

  /// The score falls from 0.8 to 0.6, a quarter. The left and the right edge move by 1 of a size of
  /// √16 = 4: a mean of 0.125 of the four edges.
  @Test func comparesByHand() {
    var difference = CandidateDifference()
    difference.add([candidate(0.8, x: 1)], [candidate(0.6, x: 2)])
    #expect(abs(difference.score - 0.25) < 1e-6)
    #expect(abs(difference.box - 0.125) < 1e-12)
    #expect(difference.landmarks == 0)
    #expect(abs(difference.whole - 0.75) < 1e-6)
  }

  /// One of score 0.8 stays, one of 0.4 is missing, one of 0.4 is new: these weigh a quarter each.
  @Test func countsMissingAndNewCandidates() {
    var difference = CandidateDifference()
    difference.add(
      [candidate(0.8, x: 1), candidate(0.4, x: 9, column: 1)],
      [candidate(0.4, x: 9, column: 2), candidate(0.8, x: 1)])
    #expect(abs(difference.score - 1 / 3.0) < 1e-6)
    #expect(abs(difference.box - 1 / 3.0) < 1e-6)
  }

  @Test func leavesOutLowScores() {
    var difference = CandidateDifference()
    difference.add([candidate(0.04, x: 1)], [candidate(0.01, x: 5)])
    #expect(difference.whole == 0)
  }
}
