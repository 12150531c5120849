// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding

@testable import YOLOFaceAnalysis

struct CommonShiftTests {
  private func square(_ x: Double, _ y: Double, side: Double = 20) -> Box {
    Box(center: Point2D(x: x, y: y), size: Size2D(width: side, height: side))
  }

  private func shifted(_ boxes: [Box], _ x: Double, _ y: Double) -> [Box] {
    boxes.map { square($0.center.x + x, $0.center.y + y, side: $0.width) }
  }

  private let crowd = [(0.0, 0.0), (30, 5), (55, -10), (200, 40), (90, 70)]

  /// A shift by more than the faces' distance, with one face gone and one new: the nearest box is
  /// another face's.
  @Test func isTheMajoritysShift() {
    let boxes = crowd.map { square($0.0, $0.1) }
    let found = shifted(Array(boxes.dropFirst()), -35, 4) + [square(70, -60)]
    #expect(CommonShift(from: boxes, to: found.reversed()).winner == SIMD2(-35, 4))
    #expect(CommonShift(from: boxes, to: boxes).winner == .zero)
  }

  /// Of four boxes one moves 10 to the right by itself, another 3. On the others' shift the first
  /// has no vote, the second 1 − 3² / 6² of one. (The reach is 0.3 sides: 6.)
  @Test func leavesOutFacesThatMoveByThemselves() throws {
    let boxes = [square(0, 0), square(100, 0), square(200, 0), square(300, 0)]
    let found = [square(40, 0), square(140, 0), square(243, 0), square(350, 0)]
    let winner = try #require(CommonShift(from: boxes, to: found).winner)
    #expect(abs(winner.x - (40 + 40 + 43 * 0.75) / 2.75) < 1e-12)
    #expect(winner.y == 0)
  }

  @Test func isNilForTwoOrNone() {
    let boxes = [square(0, 0), square(100, 0)]
    #expect(CommonShift(from: boxes, to: shifted(boxes, 30, 0)).winner == nil)
    #expect(CommonShift(from: [], to: boxes).winner == nil)
    #expect(CommonShift(from: boxes, to: []).winner == nil)
  }

  /// Five faces go five ways, and three boxes are farther away than a camera turns.
  @Test func isNilWhereTheyDisagree() {
    let ways = [(50.0, 0.0), (-50, 10), (0, 60), (20, -50), (-30, -30)]
    let boxes = (0..<5).map { square(1000 * Double($0), 0) }
    let found = zip(boxes, ways).map { square($0.center.x + $1.0, $1.1) }
    #expect(CommonShift(from: boxes, to: found).winner == nil)
    let three = Array(boxes.prefix(3))
    #expect(CommonShift(from: three, to: shifted(three, 81, 0)).winner == nil)
    #expect(CommonShift(from: three, to: shifted(three, 80, 0)).winner == nil)
    #expect(
      CommonShift(from: three, to: shifted(three, 72, 0)).winner.map { abs($0.x - 72) < 1e-9 }
        == true)
  }

  @Test func survivesWildNumbers() {
    let wild = [Double.nan, .infinity, -.infinity, 0, -1, 1e300, 1e-300, .greatestFiniteMagnitude]
    let boxes = wild.flatMap { number in
      [
        Box(x: number, y: 0, width: 10, height: 10),
        Box(x: 0, y: 0, width: number, height: 10),
        Box(x: number, y: number, width: number, height: number),
      ]
    }
    let sane = [square(0, 0), square(100, 0), square(200, 0)]
    let winner = CommonShift(from: boxes + sane, to: shifted(sane, 30, 0) + boxes).winner
    #expect(winner.map { $0.x.isFinite && $0.y.isFinite } ?? true)
    #expect(CommonShift(from: boxes, to: boxes).winner.map { $0.x.isFinite } ?? true)
  }
}
