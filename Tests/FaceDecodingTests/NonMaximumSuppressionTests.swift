// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding

@Suite struct NonMaximumSuppressionTests {
  static func face(_ score: Float, _ box: Box) -> Face { Face(score: score, box: box) }

  static func square(at x: Double) -> Box { Box(x: x, y: 0, width: 10, height: 10) }

  /// Squares shifted by 2 have IoU 80 / 120, by 4 60 / 140, by 6 40 / 160.
  @Test func keepsTheBestOfEachGroup() {
    let candidates = [
      Self.face(0.7, Self.square(at: 2)), Self.face(0.9, Self.square(at: 0)),
      Self.face(0.8, Self.square(at: 100)), Self.face(0.6, Self.square(at: 6)),
      Self.face(0.5, Self.square(at: 4)),
    ]
    let result = nonMaximumSuppression(of: candidates, overlapThreshold: 0.5)
    #expect(result.kept == [1, 2, 3])
    // The last overlaps the one at 6 enough, but not the one at 0; the one at 2 is already gone.
    #expect(result.suppressor == [1, nil, nil, nil, 3])
  }

  @Test func overlapEqualToTheThresholdIsKept() {
    let wide = Box(x: 0, y: 0, width: 20, height: 10)
    let candidates = [Self.face(0.9, wide), Self.face(0.8, Self.square(at: 0))]
    #expect(nonMaximumSuppression(of: candidates, overlapThreshold: 0.5).kept == [0, 1])
    let less = nonMaximumSuppression(of: candidates, overlapThreshold: 0.5.nextDown)
    #expect(less.kept == [0])
  }

  @Test func maximumCountKeepsTheBest() {
    let candidates = [0.1, 0.5, 0.3, 0.9, 0.7].enumerated().map { index, score in
      Self.face(Float(score), Self.square(at: Double(index) * 20))
    }
    func kept(_ maximumCount: Int) -> [Int] {
      nonMaximumSuppression(
        of: candidates, overlapThreshold: 0.5, maximumCount: maximumCount
      ).kept
    }
    for all in [.max, 5] { #expect(kept(all) == [3, 4, 1, 2, 0]) }
    #expect(kept(2) == [3, 4])
    for none in [0, -1] { #expect(kept(none) == []) }
  }

  @Test func onlyTheBestCandidatesAreConsidered() {
    // The third, the best, overlaps the first and the last.
    let candidates = [
      Self.face(0.7, Self.square(at: 0)), Self.face(0.8, Self.square(at: 50)),
      Self.face(0.9, Self.square(at: 1)), Self.face(0.6, Self.square(at: 1)),
    ]
    func suppression(_ maximumCandidates: Int) -> Suppression {
      nonMaximumSuppression(
        of: candidates, overlapThreshold: 0.5, maximumCandidates: maximumCandidates)
    }
    #expect(suppression(4).suppressor == [2, nil, nil, 2])
    #expect(suppression(3).kept == [2, 1])
    #expect(suppression(3).suppressor == [2, nil, nil, nil])
    #expect(suppression(2).kept == [2, 1])
    #expect(suppression(1).kept == [2])
    for none in [0, -1] { #expect(suppression(none).kept == []) }
  }

  /// A thousand by a thousand boxes that do not touch, with equal scores: comparing all pairs would
  /// take hours.
  @Test(.timeLimit(.minutes(60))) func aMillionCandidatesTerminate() {
    let candidates = (0..<1_000_000).map { index in
      Self.face(
        0.9,
        Box(
          x: Double(index % 1000) * 20, y: Double(index / 1000) * 20, width: 10, height: 10))
    }
    let result = nonMaximumSuppression(of: candidates, overlapThreshold: 0.5)
    #expect(result.kept == Array(0..<30_000))
  }

  @Test func dropsNaNScores() {
    let candidates = [
      Self.face(.nan, Self.square(at: 0)), Self.face(0.5, Self.square(at: 0)),
      Self.face(.infinity, Self.square(at: 50)), Self.face(-.infinity, Self.square(at: 90)),
      Self.face(-.nan, Self.square(at: 200)),
    ]
    let result = nonMaximumSuppression(of: candidates, overlapThreshold: 0.5)
    #expect(result.kept == [2, 1, 3])
    #expect(result.suppressor == [nil, nil, nil, nil, nil])
  }

  @Test(arguments: Box.degenerate, [-1, 0, 0.5, 1, .nan])
  func degenerateBoxesAreKeptAndSuppressNothing(box: Box, threshold: Double) {
    let candidates = [
      Self.face(0.9, box), Self.face(0.8, Self.square(at: 0)), Self.face(0.7, box),
    ]
    let result = nonMaximumSuppression(of: candidates, overlapThreshold: threshold)
    #expect(result.kept == [0, 1, 2])
  }

  @Test func extremeThresholds() {
    // IoU 0 (touching), 1 / 19 (a little) and 1 (the same).
    let touching = [Self.face(0.9, Self.square(at: 0)), Self.face(0.8, Self.square(at: 10))]
    let aLittle = [Self.face(0.9, Self.square(at: 0)), Self.face(0.8, Self.square(at: 9))]
    let same = [Self.face(0.9, Self.square(at: 0)), Self.face(0.8, Self.square(at: 0))]
    for threshold in [-1.0, 0] {
      #expect(nonMaximumSuppression(of: touching, overlapThreshold: threshold).kept == [0, 1])
      #expect(nonMaximumSuppression(of: aLittle, overlapThreshold: threshold).kept == [0])
    }
    for threshold in [1, 2, .infinity, .nan] {
      #expect(nonMaximumSuppression(of: same, overlapThreshold: threshold).kept == [0, 1])
    }
  }

  /// The right edge, 0.1 + 0.2, rounds so that the box's intersection with itself exceeds its area:
  /// a comparison would suppress the second box.
  @Test func thresholdOneComparesNoBoxes() {
    let box = Box(x: 0.1, y: 0.1, width: 0.2, height: 0.2)
    #expect(box.maxX - box.minX > box.width)
    let same = [Self.face(0.9, box), Self.face(0.8, box)]
    #expect(nonMaximumSuppression(of: same, overlapThreshold: 1).kept == [0, 1])
  }

  /// Boxes in eighths, whose IoU is compared with a fraction without any rounding.
  struct WholeBox {
    var x: Int
    var y: Int
    var width: Int
    var height: Int
    var score: Int

    init(using random: inout SeededGenerator, spread: Int) {
      x = .random(in: -spread / 2...spread / 2, using: &random)
      y = .random(in: -spread / 2...spread / 2, using: &random)
      width = .random(in: 0...20, using: &random)
      height = .random(in: 0...20, using: &random)
      score = .random(in: 0...30, using: &random)
    }

    var face: Face {
      NonMaximumSuppressionTests.face(
        Float(score) / 32,
        Box(
          x: Double(x) / 8, y: Double(y) / 8, width: Double(width) / 8, height: Double(height) / 8))
    }

    func overlaps(_ other: WholeBox, over numerator: Int, _ denominator: Int) -> Bool {
      let columns = min(x + width, other.x + other.width) - max(x, other.x)
      let rows = min(y + height, other.y + other.height) - max(y, other.y)
      let intersection = max(0, columns) * max(0, rows)
      let union = width * height + other.width * other.height - intersection
      return intersection * denominator > union * numerator
    }
  }

  @Test(arguments: [(0, 1), (1, 4), (9, 20), (1, 2), (3, 4), (1, 1)])
  func agreesWithExactArithmetic(numerator: Int, denominator: Int) {
    var random = SeededGenerator(seed: 5)
    for (count, spread, rounds) in [(5, 10, 300), (60, 40, 60), (300, 100, 10), (2000, 300, 1)] {
      for _ in 0..<rounds {
        let boxes = (0..<count).map { _ in WholeBox(using: &random, spread: spread) }
        var kept: [Int] = []
        var suppressor = [Int?](repeating: nil, count: count)
        let ordered = boxes.indices.sorted { (-boxes[$0].score, $0) < (-boxes[$1].score, $1) }
        for index in ordered {
          suppressor[index] = kept.first {
            boxes[$0].overlaps(boxes[index], over: numerator, denominator)
          }
          if suppressor[index] == nil { kept.append(index) }
        }
        let result = nonMaximumSuppression(
          of: boxes.map(\.face), overlapThreshold: Double(numerator) / Double(denominator))
        #expect(result.kept == kept)
        #expect(result.suppressor == suppressor)
      }
    }
  }

  /// What another implementation kept, this one keeps.
  @Test(
    .enabled(if: SharedData.exists, SharedData.explanation), arguments: GoldenDetections.names)
  func keepsTheGoldenFaces(name: String) throws {
    let golden = try GoldenDetections.read(name)
    let faces = golden.faces.map(\.face)
    let result = nonMaximumSuppression(of: faces, overlapThreshold: golden.iouThreshold)
    #expect(result.kept.sorted() == Array(faces.indices))
  }
}
