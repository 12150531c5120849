// SPDX-License-Identifier: Apache-2.0
import YOLOFaceDecoding

/// How far the candidates of one run of a network are from those of another run, cell by cell.
///
/// A candidate weighs as much as the square of its higher score, and nothing below `leastScore`. Distances are in
/// units of the square root of the box's area, and at most 1, as for a candidate that only one run has.
public struct CandidateDifference: Sendable, Hashable {
  /// Candidates with lower scores in both runs do not count.
  public static let leastScore: Float = 0.05

  private var (weight, scoreSum, boxSum, landmarkSum) = (0.0, 0.0, 0.0, 0.0)

  /// No difference yet.
  public init() {}

  /// The mean difference of the scores, relative to the score.
  public var score: Double { weight > 0 ? scoreSum / weight : 0 }
  /// The mean distance that the edges of the boxes moved.
  public var box: Double { weight > 0 ? boxSum / weight : 0 }
  /// The mean distance that the landmarks moved in either direction; 0 where there are none.
  public var landmarks: Double { weight > 0 ? landmarkSum / weight : 0 }

  /// All of it as one number. The overlap of two boxes falls with the movement of all four edges,
  /// and precision with it: boxes count four times, landmarks twice.
  public var whole: Double { score + 4 * box + 2 * landmarks }

  /// Compares what one head proposes in two runs.
  public mutating func add(_ reference: [Candidate], _ others: [Candidate]) {
    func cell(_ candidate: Candidate) -> [Int] {
      [candidate.anchor, candidate.row, candidate.column]
    }
    var waiting = Dictionary(others.map { (cell($0), $0.face) }) { $1 }
    for candidate in reference {
      add(candidate.face, waiting.removeValue(forKey: cell(candidate)))
    }
    let rest = waiting.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    for (_, face) in rest { add(face, nil) }
  }

  private mutating func add(_ face: Face, _ other: Face?) {
    let score = Double(max(face.score, other?.score ?? 0))
    guard score >= Double(Self.leastScore) else { return }
    let square = score * score
    weight += square
    scoreSum += score * abs(Double(face.score) - Double(other?.score ?? 0))
    guard let other else {
      boxSum += square
      if face.landmarks != nil { landmarkSum += square }
      return
    }
    let size = (face.box.width * face.box.height).squareRoot()
    let edges = [
      face.box.x - other.box.x, face.box.y - other.box.y,
      face.box.x + face.box.width - other.box.x - other.box.width,
      face.box.y + face.box.height - other.box.y - other.box.height,
    ]
    boxSum += square * mean(edges, size)
    if let points = face.landmarks?.points, let others = other.landmarks?.points {
      let moves = zip(points, others).flatMap { [$0.x - $1.x, $0.y - $1.y] }
      landmarkSum += square * mean(moves, size)
    }
  }

  private func mean(_ moves: [Double], _ size: Double) -> Double {
    guard size > 0 else { return 0 }
    return min(1, moves.reduce(0) { $0 + abs($1) } / Double(moves.count) / size)
  }
}
