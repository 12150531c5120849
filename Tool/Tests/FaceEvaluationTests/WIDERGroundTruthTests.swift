// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

struct WIDERGroundTruthTests {
  private func read(_ text: String) throws -> [GroundTruthPicture] {
    try WIDERGroundTruth.read(Array(text.utf8), source: "gt.txt")
  }

  @Test func readsPicturesAndFaces() throws {
    let pictures = try read(
      """
      0--Parade/0_Parade_marchingband_1_849.jpg
      1
      449 330 122 149 0 0 0 0 0 0 \n\
      1--Handshaking/a.jpg
      3
      1 2 3 4 2 0 0 0 1 1
      5 6 7 8 2 0 0 1 0 0
      9 9 0 3 2 0 0 0 0 0

      """)
    #expect(pictures.map(\.name) == ["0--Parade/0_Parade_marchingband_1_849", "1--Handshaking/a"])
    #expect(pictures[0].faces == [GroundTruthFace(box: rectangle(449, 330, 122, 149))])
    #expect(pictures[1].faces.map(\.standing) == [.counted, .ignored, .ignored])
    #expect(pictures[1].faces[1].box == rectangle(5, 6, 7, 8))
  }

  /// The published file has a line of zeros where there is no face.
  @Test(arguments: ["0 0 0 0 0 0 0 0 0 0 \n", "0 0 0 0 0 0\n", "", "\n"])
  func readsAPictureWithoutFaces(zeros: String) throws {
    let pictures = try read("a.jpg\n0\n\(zeros)b.jpg\n1\n1 2 3 4 0 0 0 0 0 0\nc.jpg\n0\n\(zeros)")
    #expect(pictures.map(\.name) == ["a", "b", "c"])
    #expect(pictures.map(\.faces.count) == [0, 1, 0])
  }

  /// What follows a picture's path, and how the error goes on behind the file's name.
  @Test(arguments: [
    ("0\nb.jpg", "3: found the end"), ("many", "2: found \"many\""), ("-1", "2: found \"-1\""),
    ("1000000", "2: found \"1000000\""),
    ("99999999999999999999", "2: found \"99999999999999999999\""),
    ("2\n1 2 3 4 0 0 0 0 0 0", "3: found the end after 1 faces"),
    ("1\n1 2 3 4 0 0 0 0 0", "3: found 9 numbers"), ("1\n1 2 3", "3: found 3 numbers"),
    ("1\n1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22", "3: found more numbers"),
    ("1\n1 2 nan 4 0 0 0 0 0 0", "3: found \"nan\""),
    ("1\n1\0junk 2 3 4 0 0 0 0 0 0", "3: found \"1\0junk\""),
    ("1\0junk\n1 2 3 4 0 0 0 0 0 0", "2: found \"1\0junk\""),
    ("1\n1 2 1e300 4 0 0 0 0 0 0", "3: found \"1e300\""),
    ("1\n1 2 -3 4 0 0 0 0 0 0", "3: found a width or height below 0"),
    ("1\n1 2 3 4 0 0 0 7 0 0", "3: found 7.0 as eighth number, invalid"),
    ("0\na.jpg/..\n0", "3: found the name \"a.jpg/..\""),
    ("0\na.png\n0", "3: found a a second time"),
  ])
  func refuses(rest: String, error: String) {
    #expect(refusal { _ = try read("a.jpg\n\(rest)\n") }.hasPrefix("gt.txt:\(error),"))
  }

  /// As WIDER FACE's results are, for each picture in a file of its own: a score behind the box.
  @Test func readsResults() throws {
    let text = "0_Parade 1\n2\n1.50 2 3 4 0.9\n5 6 7 8 0.4\n"
    #expect(WIDERGroundTruth.begins(Array(text.utf8)))
    #expect(WIDERGroundTruth.begins(Array("a\r\n0\r\n".utf8)))
    #expect(!WIDERGroundTruth.begins(Array("0 0.5 0.5 0.5 0.5\n".utf8)))
    #expect(!WIDERGroundTruth.begins([]))
    let faces = try read(text)[0].faces
    #expect(faces.map(\.box) == [rectangle(1.5, 2, 3, 4), rectangle(5, 6, 7, 8)])
    #expect(faces.map(\.score) == [0.9, 0.4] && faces.map(\.standing) == [.counted, .ignored])
  }
}
