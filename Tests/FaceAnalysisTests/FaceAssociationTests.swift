// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding

@testable import YOLOFaceAnalysis

struct FaceAssociationTests {
  private func square(_ x: Double, _ side: Double = 100) -> Box {
    Box(x: x, y: 0, width: side, height: side)
  }

  private func associate(_ expected: [Box], _ found: [Box], missing: Int? = nil)
    -> [Int?]
  {
    partners(expected, found, missing: missing).map { $0?.box }
  }

  private func partners(_ expected: [Box], _ found: [Box], missing: Int? = nil)
    -> [Partner?]
  {
    YOLOFaceAnalysis.associate(
      expected.map(BoxMotion.init), isMissing: expected.indices.map { $0 == missing }, with: found)
  }

  /// Two faces of 100 pixels, so far apart: as near as a fifth of their size, either may be the other, even if one is
  /// not found; another size tells them apart.
  @Test(arguments: [(0.0, 100.0, true), (20, 100, true), (60, 100, false), (20, 200, false)])
  func facesThatAreNearMayBeMistaken(distance: Double, side: Double, isDoubtful: Bool) {
    let both = [square(0), square(distance, side)]
    #expect(partners(both, both).map { $0?.hasRival } == [isDoubtful, isDoubtful])
    #expect(partners(both, [both[0]]).compactMap { $0?.hasRival } == [isDoubtful])
    #expect(partners([both[0]], both).first??.hasRival == isDoubtful)
  }

  /// The left edges of the boxes that are expected and found, and the pairs.
  @Test(
    arguments: [
      ([], [], []), ([], [0], []), ([0, 500], [], [nil, nil]),
      ([0, 500], [510, -5], [1, 0]), ([0, 500], [1000, 20], [1, nil]),
      // The first box is nearest to both; together 10 + 10 pixels are the better choice.
      ([0, 20], [10, 30], [0, 1]), ([0, 20], [30, 10], [1, 0]),
      // The nearest pair, 20 and 14, would leave 0 with 32. The article on tracking shows this.
      ([0, 20], [14, 32], [0, 1]),
      // 0 fits well, and both others badly: they stay unpaired.
      ([0, -45], [0, 45], [0, nil]),
    ] as [([Double], [Double], [Int?])])
  func pairsAtTheLeastTotalCost(expected: [Double], found: [Double], pairs: [Int?]) {
    #expect(associate(expected.map { square($0) }, found.map { square($0) }) == pairs)
  }

  @Test func sizesTellFacesApart() {
    #expect(associate([square(0), square(0, 130)], [square(0, 130), square(0)]) == [1, 0])
    #expect(associate([square(0)], [square(0, 250)]) == [nil])
  }

  @Test func missedFacesYieldToSeenOnes() {
    #expect(associate([square(0), square(0)], [square(0)], missing: 0) == [nil, 0])
    #expect(associate([square(0), square(0)], [square(0)], missing: 1) == [0, nil])
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
    let used = assignment.compactMap(\.self)
    #expect(used.count == min(rows, columns) && Set(used).count == used.count)
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
    let a = (0..<count).map { _ in generator.double(in: 0...1) }
    let b = (0..<count).map { _ in generator.double(in: 0...1) }
    let assignment = minimumCostAssignment(
      rows: count, columns: count, costs: a.flatMap { x in b.map { (x - $0) * (x - $0) } })
    let byA = (0..<count).sorted { a[$0] < a[$1] }
    let byB = (0..<count).sorted { b[$0] < b[$1] }
    for (row, column) in zip(byA, byB) { #expect(assignment[row] == column) }
  }
}
