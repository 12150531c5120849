// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceGeometry

@Suite struct LandmarksTests {
  let landmarks = Landmarks((1, 10), (2, 20), (3, 30), (4, 40), (5, 50))

  @Test func pointsAndNamesAreInTheModelsOrder() {
    #expect(landmarks.points.map(\.x) == [1, 2, 3, 4, 5])
    #expect(landmarks.points.map(\.y) == [10, 20, 30, 40, 50])
    #expect(Landmarks.names == ["rightEye", "leftEye", "nose", "rightMouth", "leftMouth"])
  }

  @Test func swappingSidesExchangesEyesAndMouthCorners() {
    #expect(landmarks.swappingSides().points.map(\.x) == [2, 1, 3, 5, 4])
    #expect(landmarks.swappingSides().swappingSides() == landmarks)
  }
}

@Suite struct CoordinateMappingFaceTests {
  /// Half a turn and a shift, with or without exchanging sides.
  struct Turned: CoordinateMapping {
    var swapsSides: Bool
    func map(_ point: Point2D) -> Point2D { Point2D(x: 100 - point.x, y: 60 - point.y) }
    func unmap(_ point: Point2D) -> Point2D { Point2D(x: 100 - point.x, y: 60 - point.y) }
  }

  let face = Face(
    score: 0.75, box: Box(x: 10, y: 20, width: 30, height: 5),
    landmarks: Landmarks((1, 10), (2, 20), (3, 30), (4, 40), (5, 50)))

  @Test func landmarksSwapSidesAsTheMappingSays() {
    let (kept, swapped) = (Turned(swapsSides: false), Turned(swapsSides: true))
    #expect(kept.map(face.landmarks!).points.map(\.x) == [99, 98, 97, 96, 95])
    #expect(swapped.map(face.landmarks!).points.map(\.x) == [98, 99, 97, 95, 96])
    #expect(swapped.unmap(face.landmarks!).points.map(\.x) == [98, 99, 97, 95, 96])
  }

  @Test(arguments: [false, true])
  func facesKeepTheirScores(swapsSides: Bool) {
    let mapping = Turned(swapsSides: swapsSides)
    let mapped = mapping.map(face)
    #expect(mapped.score == 0.75)
    #expect(mapped.box == mapping.map(face.box))
    #expect(mapped.landmarks! == mapping.map(face.landmarks!))
    #expect(mapping.unmap(mapped) == face)
  }

  /// A detector names by appearance: looking from the eyes to the nose, what it calls the right eye
  /// is on the same side in any picture, turned or not. The signed area of the triangle right eye,
  /// left eye, nose says which side.
  @Test func landmarksAreNamedAsADetectorWouldNameThem() throws {
    func hand(_ landmarks: Landmarks) -> Double {
      let (a, b, c) = (landmarks.rightEye, landmarks.leftEye, landmarks.nose)
      return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    }
    let frontal = Landmarks((40, 40), (60, 40), (50, 55), (42, 70), (58, 70))
    #expect(hand(frontal) > 0)
    let view = Size2D(width: 70, height: 50)
    for space in try ViewSpace.all(image: Size2D(width: 100, height: 120), view: view) {
      let isYUp =
        space.coordinateSystem == .pixelsFromBottomLeft
        || space.coordinateSystem == .normalizedFromBottomLeft
      let seen = space.map(frontal)
      #expect((hand(seen) > 0) != isYUp, "\(space)")
      #expect(isClose(space.unmap(seen), frontal), "\(space)")
    }
  }

  /// In the mirror image the eye on the left of the picture is the one on the right of the
  /// photograph, and is still called right.
  @Test func mirroringExchangesSides() throws {
    let frontal = Landmarks((40, 40), (60, 41), (50, 55), (42, 70), (58, 71))
    let mirror = try ViewSpace(imageSize: Size2D(width: 200, height: 100), isMirrored: true)
    #expect(mirror.map(frontal) == Landmarks((140, 41), (160, 40), (150, 55), (142, 71), (158, 70)))
  }
}
