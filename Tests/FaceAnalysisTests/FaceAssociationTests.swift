import FaceDecoding
import TestSupport
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
    #expect(FaceAnalysis.associate(motions, isMissing: [false, false], with: found) == [1, 0])
    #expect(associate([0], [square(0, 250)]) == [nil])
  }

  @Test func missedFacesYieldToSeenOnes() {
    #expect(associate([0, 0], [square(0)], missing: [0]) == [nil, 0])
    #expect(associate([0, 0], [square(0)], missing: [1]) == [0, nil])
  }
}

struct AssignmentTests {
  /// The least sum over all pairings, by exhaustive search.
  private func leastCost(_ rows: Int, _ columns: Int, _ costs: [Double]) -> Double {
    func least(_ row: Int, _ used: Set<Int>, _ skips: Int) -> Double {
      if row == rows { return 0 }
      var best = skips > 0 ? least(row + 1, used, skips - 1) : .infinity
      for column in 0..<columns where !used.contains(column) {
        best = min(
          best, costs[row * columns + column] + least(row + 1, used.union([column]), skips))
      }
      return best
    }
    return least(0, [], max(0, rows - columns))
  }

  private func check(_ rows: Int, _ columns: Int, _ costs: [Double]) {
    let assignment = minimumCostAssignment(rows: rows, columns: columns, costs: costs)
    #expect(assignment.count == rows)
    let used = assignment.compactMap { $0 }
    #expect(used.count == min(rows, columns))
    #expect(Set(used).count == used.count)
    #expect(used.allSatisfy { (0..<columns).contains($0) })
    let cost = assignment.enumerated().reduce(0) { sum, pair in
      sum + (pair.element.map { costs[pair.offset * columns + $0] } ?? 0)
    }
    // Sums of at most 6 numbers below 100, added in another order.
    #expect(abs(cost - leastCost(rows, columns, costs)) < 1e-11, "\(rows) × \(columns): \(costs)")
  }

  /// With few different costs, almost every choice is between equals.
  @Test(arguments: [false, true])
  func isAsGoodAsAnExhaustiveSearch(hasTies: Bool) {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<600 {
      let (rows, columns) = (generator.integer(0...6), generator.integer(0...6))
      let costs = (0..<rows * columns).map { _ in
        hasTies ? Double(generator.integer(0...2)) : generator.double(in: -10...10)
      }
      check(rows, columns, costs)
    }
  }

  /// With squared distances on a line, pairing in order is the best (the rearrangement inequality).
  @Test func pairsPointsOnALineInOrder() {
    var generator = SeededGenerator(seed: 3)
    let count = 200
    let a = (0..<count).map { _ in Double.random(in: 0...1, using: &generator) }
    let b = (0..<count).map { _ in Double.random(in: 0...1, using: &generator) }
    let assignment = minimumCostAssignment(
      rows: count, columns: count, costs: a.flatMap { x in b.map { (x - $0) * (x - $0) } })
    let byA = (0..<count).sorted { a[$0] < a[$1] }
    let byB = (0..<count).sorted { b[$0] < b[$1] }
    for (row, column) in zip(byA, byB) { #expect(assignment[row] == column) }
  }
}
