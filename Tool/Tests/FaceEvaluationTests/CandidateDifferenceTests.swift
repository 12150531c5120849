// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

struct CandidateDifferenceTests {
  private func difference(
    _ reference: [Candidate], _ others: [Candidate]
  ) -> CandidateDifference {
    var difference = CandidateDifference()
    difference.add(reference, others)
    return difference
  }

  private func candidate(_ score: Float, x: Double, column: Int = 0) -> Candidate {
    Candidate(
      face: Face(score: score, box: rectangle(x, 0, 8, 2)), anchor: 0, row: 0, column: column)
  }

  /// The score falls from 0.8 to 0.6, a quarter. The left and the right edge move by 1 of a size of
  /// √16 = 4: a mean of 0.125 of the four edges.
  @Test func comparesByHand() {
    let found = difference([candidate(0.8, x: 1)], [candidate(0.6, x: 2)])
    #expect(abs(found.score - 0.25) < 1e-6 && abs(found.box - 0.125) < 1e-12)
    #expect(found.landmarks == 0 && abs(found.whole - 0.75) < 1e-6)
  }

  /// One of score 0.8 stays, one of 0.4 is missing, one of 0.4 is new: these weigh a quarter each.
  @Test func countsMissingAndNewCandidates() {
    let found = difference(
      [candidate(0.8, x: 1), candidate(0.4, x: 9, column: 1)],
      [candidate(0.4, x: 9, column: 2), candidate(0.8, x: 1)])
    #expect(abs(found.score - 1 / 3.0) < 1e-6 && abs(found.box - 1 / 3.0) < 1e-6)
  }

  @Test func leavesOutLowScores() {
    #expect(difference([candidate(0.04, x: 1)], [candidate(0.01, x: 5)]).whole == 0)
  }
}
