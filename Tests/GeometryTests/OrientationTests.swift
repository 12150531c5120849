// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceGeometry

@Suite struct OrientationTests {
  /// A stored picture of 4 × 3 and where its corners top left, top right, bottom left and bottom
  /// right go in the upright one, read off the Exif definition of each value.
  static let table: [(Orientation, [Point2D])] = [
    (.up, [Point2D(x: 0, y: 0), Point2D(x: 4, y: 0), Point2D(x: 0, y: 3), Point2D(x: 4, y: 3)]),
    (
      .upMirrored,
      [Point2D(x: 4, y: 0), Point2D(x: 0, y: 0), Point2D(x: 4, y: 3), Point2D(x: 0, y: 3)]
    ),
    (.down, [Point2D(x: 4, y: 3), Point2D(x: 0, y: 3), Point2D(x: 4, y: 0), Point2D(x: 0, y: 0)]),
    (
      .downMirrored,
      [Point2D(x: 0, y: 3), Point2D(x: 4, y: 3), Point2D(x: 0, y: 0), Point2D(x: 4, y: 0)]
    ),
    (
      .leftMirrored,
      [Point2D(x: 0, y: 0), Point2D(x: 0, y: 4), Point2D(x: 3, y: 0), Point2D(x: 3, y: 4)]
    ),
    (.right, [Point2D(x: 3, y: 0), Point2D(x: 3, y: 4), Point2D(x: 0, y: 0), Point2D(x: 0, y: 4)]),
    (
      .rightMirrored,
      [Point2D(x: 3, y: 4), Point2D(x: 3, y: 0), Point2D(x: 0, y: 4), Point2D(x: 0, y: 0)]
    ),
    (.left, [Point2D(x: 0, y: 4), Point2D(x: 0, y: 0), Point2D(x: 3, y: 4), Point2D(x: 3, y: 0)]),
  ]

  @Test(arguments: table)
  func corners(orientation: Orientation, expected: [Point2D]) throws {
    let space = try ViewSpace(
      imageSize: Size2D(width: 4, height: 3), orientation: orientation)
    let stored = [
      Point2D(x: 0, y: 0), Point2D(x: 4, y: 0), Point2D(x: 0, y: 3), Point2D(x: 4, y: 3),
    ]
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
