import FaceDecoding
import Testing

@Suite struct LandmarksTests {
  let landmarks = Landmarks(
    rightEye: Point(x: 1, y: 10), leftEye: Point(x: 2, y: 20), nose: Point(x: 3, y: 30),
    rightMouth: Point(x: 4, y: 40), leftMouth: Point(x: 5, y: 50))

  @Test func pointsAndNamesAreInTheModelsOrder() {
    #expect(landmarks.points.map(\.x) == [1, 2, 3, 4, 5])
    #expect(landmarks.points.map(\.y) == [10, 20, 30, 40, 50])
    #expect(Landmarks.names == ["rightEye", "leftEye", "nose", "rightMouth", "leftMouth"])
  }

  @Test func mapKeepsNames() {
    let moved = landmarks.map { Point(x: $0.x + 100, y: $0.y * 2) }
    #expect(moved.points.map(\.x) == [101, 102, 103, 104, 105])
    #expect(moved.points.map(\.y) == [20, 40, 60, 80, 100])
  }

  @Test func mapRethrows() {
    struct Refused: Error, Equatable {}
    #expect(throws: Refused()) {
      try landmarks.map { (_) throws(Refused) in throw Refused() }
    }
  }

  @Test func swappingSidesExchangesEyesAndMouthCorners() {
    #expect(landmarks.swappingSides().points.map(\.x) == [2, 1, 3, 5, 4])
    #expect(landmarks.swappingSides().swappingSides() == landmarks)
  }
}
