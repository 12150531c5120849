import Testing

@testable import YOLOFace

struct SearchEffortTests {
  @Test func eachLookDoublesTheOneBefore() {
    let thorough = SearchEffort.thorough
    #expect(thorough.magnifications(side: 800, input: 640) == [1, 2, 4], "enlarged to 2560")
    #expect(thorough.magnifications(side: 2560, input: 640) == [1, 2, 4], "at its own size")
    #expect(thorough.magnifications(side: 8000, input: 640) == [1, 1.5625, 3.125, 6.25, 12.5])
    #expect(thorough.magnifications(side: 400, input: 640) == [1, 2], "enlarged 3.2 times")
    #expect(
      thorough.magnifications(side: 200, input: 640) == [1], "the first look enlarges as much")
    #expect(thorough.magnifications(side: 800, input: 2560) == [1])
  }

  @Test func tilesSayHowManyParts() {
    #expect(
      SearchEffort(tiles: 3, rotations: 1).magnifications(side: 800, input: 640) == [1, 1.5, 3])
    #expect(SearchEffort.once.magnifications(side: 8000, input: 640) == [1])
    #expect(
      SearchEffort(tiles: 64, rotations: 1).magnifications(side: 10, input: 640) == [1],
      "an icon is not enlarged further")
    var effort = SearchEffort.thorough
    #expect(effort.magnifications(side: 1_048_576, input: 32).last == 64)
    effort.tiles = .max
    #expect(effort.magnifications(side: 1_048_576, input: 32).last == 64)
  }

  @Test func partsOutsideTheirRangesAreClamped() {
    #expect(SearchEffort(tiles: 0, rotations: 2) == SearchEffort(tiles: 1, rotations: 1))
    #expect(SearchEffort(tiles: 1000, rotations: 4).tiles == 64)
  }
}
