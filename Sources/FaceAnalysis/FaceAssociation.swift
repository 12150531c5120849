// SPDX-License-Identifier: Apache-2.0
import YOLOFaceGeometry

/// A pair as improbable as this does not count.
private let improbabilityLimit = 15.0

/// How much more improbable than a pair its rival is at most: otherwise the pair is sure.
private let largestRivalry = 8.0

/// Added to the improbability of a pair whose face was missed in the frame before: a face hidden
/// behind another stays hidden for a while, and must not get the other's box.
private let improbabilityOfReturn = 0.5

/// A found box that belongs to a motion.
struct Partner: Hashable {
  /// The box's number.
  var box: Int
  /// Whether the motion could as well have another box, or the box another motion.
  var hasRival = false
}

/// Which of the found boxes belongs to each motion, so that all pairs together are the most
/// probable; nil where none does. Every pair too improbable to count costs the same: no good pair is
/// given up for two bad ones.
///
/// - Parameters:
///   - motions: advanced to the time of the boxes.
///   - isMissing: for each motion, whether its box was not found in the frame before.
///   - boxes: none degenerate.
func associate(_ motions: [BoxMotion], isMissing: [Bool], with boxes: [Box]) -> [Partner?] {
  let costs = zip(motions, isMissing).flatMap { motion, isMissing in
    boxes.map { box in
      let cost = motion.improbability(of: box) + (isMissing ? improbabilityOfReturn : 0)
      // NaN, from numbers that diverged, is no pair either.
      return cost < improbabilityLimit ? cost : improbabilityLimit
    }
  }
  let assignment = minimumCostAssignment(rows: motions.count, columns: boxes.count, costs: costs)
  func cost(_ motion: Int, _ box: Int) -> Double { costs[motion * boxes.count + box] }
  return assignment.enumerated().map { motion, box in
    guard let box, cost(motion, box) < improbabilityLimit else { return nil }
    let limit = min(cost(motion, box) + largestRivalry, improbabilityLimit)
    let hasRival =
      boxes.indices.contains { $0 != box && cost(motion, $0) < limit }
      || motions.indices.contains { $0 != motion && cost($0, box) < limit }
    return Partner(box: box, hasRival: hasRival)
  }
}

/// Each row's column, or nil for a row that is left over, in the assignment of min(rows, columns) pairs
/// with the least sum of costs.
///
/// Rows are added one after the other, each by Dijkstra's search for the shortest alternating path to
/// a free column, over costs that a potential for each row and column keeps from being negative.
/// With R the smaller side, it takes R² × C steps at worst. (Jonker and Volgenant, "A shortest
/// augmenting path algorithm for dense and sparse linear assignment problems", 1987.)
///
/// - Parameter costs: finite, row after row.
func minimumCostAssignment(rows: Int, columns: Int, costs: [Double]) -> [Int?] {
  precondition(costs.count == rows * columns, "a cost for each row and column")
  guard rows <= columns else {
    let transposed = (0..<columns).flatMap { column in
      (0..<rows).map { costs[$0 * columns + column] }
    }
    var result = [Int?](repeating: nil, count: rows)
    let assignment = minimumCostAssignment(rows: columns, columns: rows, costs: transposed)
    for (column, row) in assignment.enumerated() {
      if let row { result[row] = column }
    }
    return result
  }
  var search = AssignmentSearch(rows: rows, columns: columns, costs: costs)
  for row in 0..<rows { search.take(row) }
  return search.columnOfRow
}

private struct AssignmentSearch {
  let columns: Int
  let costs: [Double]
  var columnOfRow: [Int?]
  var rowOfColumn: [Int?]
  var rowPotential: [Double]
  var columnPotential: [Double]

  init(rows: Int, columns: Int, costs: [Double]) {
    (self.columns, self.costs) = (columns, costs)
    columnOfRow = Array(repeating: nil, count: rows)
    rowOfColumn = Array(repeating: nil, count: columns)
    rowPotential = Array(repeating: 0, count: rows)
    columnPotential = Array(repeating: 0, count: columns)
  }

  /// Pairs one more row, by the shortest alternating path from it to a free column.
  mutating func take(_ start: Int) {
    var distance = [Double](repeating: .infinity, count: columns)
    var rowBefore = [Int](repeating: start, count: columns)
    var open = Array(0..<columns)
    var settled: [Int] = []
    var row = start
    var reached = 0.0
    while true {
      var nearest = 0
      for place in open.indices {
        let column = open[place]
        let through =
          reached + costs[row * columns + column] - rowPotential[row] - columnPotential[column]
        if through < distance[column] {
          distance[column] = through
          rowBefore[column] = row
        }
        // Among equally near columns a free one, which ends the search.
        let least = distance[open[nearest]]
        if distance[column] < least || (distance[column] == least && rowOfColumn[column] == nil) {
          nearest = place
        }
      }
      let column = open[nearest]
      reached = distance[column]
      guard let next = rowOfColumn[column] else {
        updatePotentials(start, settled, distance, reached)
        exchange(along: rowBefore, to: column)
        return
      }
      open.swapAt(nearest, open.count - 1)
      open.removeLast()
      settled.append(column)
      row = next
    }
  }

  /// Keeps reduced costs at 0 on the path, and nowhere negative.
  private mutating func updatePotentials(
    _ start: Int, _ settled: [Int], _ distance: [Double], _ reached: Double
  ) {
    rowPotential[start] += reached
    for column in settled {
      let slack = reached - distance[column]
      columnPotential[column] -= slack
      if let row = rowOfColumn[column] { rowPotential[row] += slack }
    }
  }

  /// Pairs every row on the path with the column after it; the first row had none.
  private mutating func exchange(along rowBefore: [Int], to end: Int) {
    var column: Int? = end
    while let current = column {
      let row = rowBefore[current]
      column = columnOfRow[row]
      rowOfColumn[current] = row
      columnOfRow[row] = current
    }
  }
}
