import FaceDecoding
import FaceEvaluation
import TestSupport
import Testing

struct YOLOGroundTruthTests {
  private func read(_ text: String) throws -> GroundTruthPicture {
    try YOLOGroundTruth.read(Array(text.utf8), source: "a.txt", name: "a")
  }

  @Test func readsCentresAndSizes() throws {
    let picture = try read("0 0.5 0.25 0.5 0.25\n1 0.75 0.75 0.25 0.5\n")
    #expect(picture.name == "a" && picture.isNormalized)
    #expect(
      picture.faces.map(\.box) == [
        rectangle(0.25, 0.125, 0.5, 0.25), rectangle(0.625, 0.5, 0.25, 0.5),
      ])
    #expect(try read("").faces.isEmpty)
  }

  @Test(arguments: [
    ("0 0.5 0.5 0.5\n", 1), ("0 0.5 0.5 0.5 0.5\n0 1 2 3 4 5 6\n", 2), ("0 320 240 50 60\n", 1),
    ("0 0.5 0.5 -0.001 0.5", 1), ("0 0.5 0.5 nan 0.5", 1), ("face 0.5 0.5 0.5 0.5", 1),
    ("0.5 0.5 0.5 0.5 0.5", 1),
    ("0 0.5 0.5 1e-400 inf", 1),
  ])
  func refuses(text: String, line: Int) {
    #expect(refusal { _ = try read(text) }.hasPrefix("a.txt:\(line): found"))
  }

  @Test func namesClasses() throws {
    let rows = (0...2).map { "\($0) 0.5 0.5 0.5 0.5" }.joined(separator: "\r")
    let faces = try YOLOGroundTruth.read(
      Array(rows.utf8), source: "a.txt", name: "a", classes: [0: "person", 1: "face"]
    ).faces
    #expect(faces.map(\.category?.name) == ["person", "face", "2"])
    #expect(faces.map(\.category?.number) == [0, 1, 2])
  }

  /// As yolov5-face writes points, as YOLO's pose form does, and as detections are saved.
  @Test func readsPointsAndScores() throws {
    let box = "0 0.5 0.5 0.5 0.5"
    let points = [(0.4, 0.41), (0.6, 0.42), (0.5, 0.5), (0.43, 0.6), (0.57, 0.61)]
    func row(_ points: [(Double, Double)], _ visibility: [Int]? = nil) -> String {
      points.enumerated().reduce(box) { text, point in
        text + " \(point.element.0) \(point.element.1)"
          + (visibility.map { " \($0[point.offset])" } ?? "")
      }
    }
    var known = points
    known[2] = (-1, -1)
    let faces = try read(
      """
      \(row(points))
      \(row(known))
      \(row(points, [2, 2, 1, 2, 2]))
      \(row(points, [2, 2, 0, 2, 2]))
      \(box) 0.51
      \(box) 0.49
      \(row(points)) 0.49
      \(row(points, [2, 2, 1, 2, 2])) 0.51
      """
    ).faces
    let landmarks = Landmarks((0.4, 0.41), (0.6, 0.42), (0.5, 0.5), (0.43, 0.6), (0.57, 0.61))
    #expect(
      faces.map(\.landmarks) == [landmarks, nil, landmarks, nil, nil, nil, landmarks, landmarks])
    #expect(faces.map { $0.standing == .ignored } == (0..<8).map { $0 == 5 || $0 == 6 })
    #expect(Set(faces.map(\.box)) == [rectangle(0.25, 0.25, 0.5, 0.5)])
  }
}
