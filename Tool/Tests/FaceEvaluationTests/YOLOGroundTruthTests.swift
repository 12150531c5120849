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

  private static let points = "0.4 0.41 0.6 0.42 0.5 0.5 0.43 0.6 0.57 0.61"
  private static let visible = "0.4 0.41 2 0.6 0.42 2 0.5 0.5 1 0.43 0.6 2 0.57 0.61 2"

  /// As yolov5-face writes points, as YOLO's pose form does, and as detections are saved: what follows a box, whether
  /// the points are known, and whether the face counts.
  @Test(arguments: [
    (points, true, true), (points.replacing("0.5 0.5", with: "-1 -1"), false, true),
    (visible, true, true), (visible.replacing("0.5 1", with: "0.5 0"), false, true),
    ("0.51", false, true), ("0.49", false, false), ("\(points) 0.49", true, false),
    ("\(visible) 0.51", true, true),
  ])
  func readsPointsAndScores(more: String, isKnown: Bool, counts: Bool) throws {
    let landmarks = Landmarks((0.4, 0.41), (0.6, 0.42), (0.5, 0.5), (0.43, 0.6), (0.57, 0.61))
    let face = try read("0 0.5 0.5 0.5 0.5 " + more).faces[0]
    #expect(face.box == rectangle(0.25, 0.25, 0.5, 0.5))
    #expect(face.landmarks == (isKnown ? landmarks : nil))
    #expect(face.standing == (counts ? .counted : .ignored))
  }
}
