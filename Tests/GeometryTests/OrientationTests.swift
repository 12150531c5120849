// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry

@Suite struct OrientationTests {
  /// A stored picture of 4 × 3 and where its corners top left, top right, bottom left and bottom
  /// right go in the upright one, read off the Exif definition of each value.
  static let table: [(Orientation, [Point])] = [
    (.up, [Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 0, y: 3), Point(x: 4, y: 3)]),
    (.upMirrored, [Point(x: 4, y: 0), Point(x: 0, y: 0), Point(x: 4, y: 3), Point(x: 0, y: 3)]),
    (.down, [Point(x: 4, y: 3), Point(x: 0, y: 3), Point(x: 4, y: 0), Point(x: 0, y: 0)]),
    (.downMirrored, [Point(x: 0, y: 3), Point(x: 4, y: 3), Point(x: 0, y: 0), Point(x: 4, y: 0)]),
    (.leftMirrored, [Point(x: 0, y: 0), Point(x: 0, y: 4), Point(x: 3, y: 0), Point(x: 3, y: 4)]),
    (.right, [Point(x: 3, y: 0), Point(x: 3, y: 4), Point(x: 0, y: 0), Point(x: 0, y: 4)]),
    (.rightMirrored, [Point(x: 3, y: 4), Point(x: 3, y: 0), Point(x: 0, y: 4), Point(x: 0, y: 0)]),
    (.left, [Point(x: 0, y: 4), Point(x: 0, y: 0), Point(x: 3, y: 4), Point(x: 3, y: 0)]),
  ]

  @Test(arguments: table)
  func corners(orientation: Orientation, expected: [Point]) throws {
    let space = try ViewSpace(
      imageSize: Size(width: 4, height: 3), orientation: orientation)
    let stored = [Point(x: 0, y: 0), Point(x: 4, y: 0), Point(x: 0, y: 3), Point(x: 4, y: 3)]
    #expect(stored.map { space.map($0) } == expected)
    #expect(expected.map { space.unmap($0) } == stored)
  }

  @Test func rawValuesAreThoseOfExif() {
    #expect(Self.table.map(\.0.rawValue) == Array(1...8))
  }

  @Test func mirroredAndTurnedOnes() {
    #expect(Orientation.allCases.filter(\.isMirrored).map(\.rawValue) == [2, 4, 5, 7])
    #expect(Orientation.allCases.filter(\.swapsWidthAndHeight).map(\.rawValue) == [5, 6, 7, 8])
  }
}
