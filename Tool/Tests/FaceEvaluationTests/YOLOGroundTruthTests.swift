import FaceDecoding
import FaceEvaluation
import Testing

struct YOLOGroundTruthTests {
  private func read(_ text: String) throws -> GroundTruthPicture {
    try YOLOGroundTruth.read(Array(text.utf8), source: "a.txt", name: "a")
  }

  @Test func readsCentresAndSizes() throws {
    let picture = try read("0 0.5 0.25 0.5 0.25\n1 0.75 0.75 0.25 0.5\n")
    #expect(picture.name == "a")
    #expect(picture.isNormalized)
    #expect(
      picture.faces.map(\.box) == [
        rectangle(0.25, 0.125, 0.5, 0.25), rectangle(0.625, 0.5, 0.25, 0.5),
      ])
    #expect(try read("").faces.isEmpty)
  }

  @Test(arguments: [
    ("0 0.5 0.5 0.5\n", 1), ("0 0.5 0.5 0.5 0.5\n0 1 2 3 4 5\n", 2), ("0 320 240 50 60\n", 1),
    ("0 0.5 0.5 -0.001 0.5", 1), ("0 0.5 0.5 nan 0.5", 1), ("face 0.5 0.5 0.5 0.5", 1),
    ("0 0.5 0.5 1e-400 inf", 1),
  ])
  func refuses(text: String, line: Int) {
    #expect(truthError { _ = try read(text) }?.position == .line(line))
  }

  /// Editors on Windows write it.
  @Test func aByteOrderMarkMayComeFirst() throws {
    #expect(try read("\u{FEFF}0 0.5 0.5 0.5 0.5\n").faces == read("0 0.5 0.5 0.5 0.5\n").faces)
  }
}
