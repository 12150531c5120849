// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

struct RetinaFaceGroundTruthTests {
  private func read(_ text: String) throws -> [GroundTruthPicture] {
    try RetinaFaceGroundTruth.read(Array(text.utf8), source: "label.txt")
  }

  /// Lines as the published file has them: a face with points, of which one is hidden, and one without.
  @Test func readsPicturesFacesAndPoints() throws {
    let text = """
      # 0--Parade/a b.jpg
      449 330 122 149 488.9 373.6 0.0 542.1 376.4 0.0 515.0 412.8 0.0 485.2 425.9 1.0 538.4 431.5 0.0 0.82
      1 2 3 4 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 -1.0 0.1
      # 1--Handshaking/none.jpg
      # 1--Handshaking/b.jpg
      5 6 7 8
      5 6 0 8

      """
    #expect(RetinaFaceGroundTruth.begins(Array(text.utf8)))
    #expect(!RetinaFaceGroundTruth.begins(Array("a.jpg\n# b\n".utf8)))
    let pictures = try read(text)
    #expect(pictures.map(\.name) == ["0--Parade/a b", "1--Handshaking/none", "1--Handshaking/b"])
    let points = Landmarks(
      (488.9, 373.6), (542.1, 376.4), (515.0, 412.8), (485.2, 425.9), (538.4, 431.5))
    #expect(
      pictures[0].faces == [
        GroundTruthFace(box: rectangle(449, 330, 122, 149), landmarks: points),
        GroundTruthFace(box: rectangle(1, 2, 3, 4)),
      ])
    #expect(pictures[1].faces.isEmpty)
    #expect(pictures[2].faces.map(\.standing) == [.counted, .ignored])
  }

  @Test(arguments: [
    ("1 2 3 4\n", "1: found a face"), ("# a.jpg\n1 2 3\n", "2: found 3 numbers"),
    ("#\n", "1: found the name \"\""),
    ("# a.jpg\n1 2 -3 4\n", "2: found a width or height below 0"),
    ("# a.jpg\n# a.png\n", "2: found a a second time"),
    ("# a.jpg\n1 2 3 x\n", "2: found \"x\""),
  ])
  func refuses(text: String, error: String) {
    #expect(refusal { _ = try read(text) }.hasPrefix("label.txt:\(error),"))
  }
}
