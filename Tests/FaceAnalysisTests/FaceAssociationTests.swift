import FaceDecoding
import Testing

@testable import FaceAnalysis

struct FaceAssociationTests {
  private func square(_ x: Double, _ side: Double = 100) -> Rectangle {
    Rectangle(x: x, y: 0, width: side, height: side)
  }

  private func associate(_ expected: [Double], _ found: [Rectangle], missing: Set<Int> = [])
    -> [Int?]
  {
    FaceAnalysis.associate(
      expected.map { BoxMotion(square($0)) },
      isMissing: expected.indices.map { missing.contains($0) }, with: found)
  }

  @Test func nothingToPair() {
    #expect(associate([], []) == [])
    #expect(associate([], [square(0)]) == [])
    #expect(associate([0, 500], []) == [nil, nil])
  }

  @Test func pairsNearBoxes() {
    #expect(associate([0, 500], [square(510), square(-5)]) == [1, 0])
    #expect(associate([0, 500], [square(1000), square(20)]) == [1, nil])
  }

  /// The first box is nearest to both; together 10 + 10 pixels are the better choice.
  @Test func minimisesTheTotalCost() {
    #expect(associate([0, 20], [square(10), square(30)]) == [0, 1])
    #expect(associate([0, 20], [square(30), square(10)]) == [1, 0])
  }

  /// The nearest pair is 20 and 14, but it would leave 0 with 32. The article on tracking shows
  /// this.
  @Test func theNearestPairIsNotAlwaysMatched() {
    #expect(associate([0, 20], [square(14), square(32)]) == [0, 1])
  }

  /// 0 fits well, and both others badly: they stay unpaired.
  @Test func oneGoodPairIsNotGivenUpForTwoBadOnes() {
    #expect(associate([0, -45], [square(0), square(45)]) == [0, nil])
  }

  @Test func sizesTellFacesApart() {
    let motions = [BoxMotion(square(0, 100)), BoxMotion(square(0, 130))]
    let found = [square(0, 130), square(0, 100)]
    #expect(
      FaceAnalysis.associate(motions, isMissing: [false, false], with: found) == [1, 0])
    #expect(associate([0], [square(0, 250)]) == [nil])
  }

  @Test func missedFacesYieldToSeenOnes() {
    #expect(associate([0, 0], [square(0)], missing: [0]) == [nil, 0])
    #expect(associate([0, 0], [square(0)], missing: [1]) == [0, nil])
  }
}
