// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFace

struct SearchEffortTests {
  /// Each look is twice as near as the one before.
  @Test(
    arguments: [
      // Enlarged to 2560, at its own size, and enlarged 3.2 times.
      (.thorough, 800, 640, [1, 2, 4]), (.thorough, 2560, 640, [1, 2, 4]),
      (.thorough, 400, 640, [1, 2]), (.thorough, 8000, 640, [1, 1.5625, 3.125, 6.25, 12.5]),
      // The first look enlarges as much.
      (.thorough, 200, 640, [1]), (.thorough, 800, 2560, [1]),
      (SearchEffort(tiles: 3), 800, 640, [1, 1.5, 3]), (.once, 8000, 640, [1]),
      // An icon is not enlarged further.
      (SearchEffort(tiles: 64), 10, 640, [1]),
    ] as [(SearchEffort, Double, Double, [Double])])
  func eachLookDoublesTheOneBefore(
    effort: SearchEffort, side: Double, input: Double, expected: [Double]
  ) {
    #expect(effort.magnifications(side: side, input: input) == expected)
  }

  @Test func thereAreAtMost64PartsASide() {
    var effort = SearchEffort.thorough
    #expect(effort.magnifications(side: 1_048_576, input: 32).last == 64)
    effort.tiles = .max
    #expect(effort.magnifications(side: 1_048_576, input: 32).last == 64)
  }

  @Test func partsOutsideTheirRangesAreClamped() {
    #expect(SearchEffort(tiles: 0, rotations: 2) == SearchEffort(tiles: 1, rotations: 1))
    #expect(SearchEffort(tiles: 1000, rotations: 4).tiles == 64)
  }

  @Test func hasFourNames() {
    #expect(SearchEffort.names == ["once", "checked", "refined", "thorough"])
    #expect(SearchEffort.names.map(SearchEffort.init) == [.once, .checked, .refined, .thorough])
    #expect(SearchEffort(name: "Once") == nil)
  }
}
