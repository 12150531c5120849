// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import YOLOFaceDecoding
import YOLOFaceUntrusted

@testable import YOLOFaceEvaluation

struct GroundTruthPictureTests {
  @Test(arguments: [
    ("a.jpg", "a"), ("0--Parade/0_Parade_1.jpg", "0--Parade/0_Parade_1"), ("a.b.png", "a.b"),
    ("plain", "plain"), (".hidden", ".hidden"), ("a.d/b", "a.d/b"), ("größe 1.png", "größe 1"),
    ("a\\b.jpg", "a/b"), ("./a.png", "a"), (".\\a/./b.c\\d", "a/b.c/d"), ("a//b.png", "a/b"),
    ("c:d/b.png", "c:d/b"),
    ("/data/upload/a.png", "a"), ("../a.png", "a"), ("a/../../b.png", "b"), ("..\\a.png", "a"),
    ("C:\\p\\a.png", "a"), ("https://h/p/a.png", "a"), ("../\u{301}a.png", "\u{301}a"),
    ("a/../\u{200D}b.png", "\u{200D}b"),
    ("", nil), (".", nil), ("..", nil), ("/", nil), ("a/..", nil), ("a\u{0}.png", nil),
    ("a\nb.png", nil), (String(repeating: "a", count: 2000), nil),
  ])
  func namesHaveNoSuffixAndStayInTheDirectory(path: String, name: String?) {
    #expect(pictureName(UntrustedText(path)) == name)
  }

  @Test func scalesNormalizedFaces() throws {
    let landmarks = Landmarks(Array(repeating: Point2D(x: 0.5, y: 0.25), count: 5))
    let face = GroundTruthFace(
      box: rectangle(0.25, 0.5, 0.5, 0.125), landmarks: landmarks, standing: .ignored)
    let picture = GroundTruthPicture(name: "a", isNormalized: true, faces: [face])
    let scaled = try picture.faces(inPictureOf: Size2D(width: 200, height: 80))[0]
    #expect(scaled.box == rectangle(50, 40, 100, 10) && scaled.standing == .ignored)
    #expect(scaled.landmarks?.nose == Point2D(x: 100, y: 20))
  }

  @Test func refusesAPictureOfAnotherSize() throws {
    let size = Size2D(width: 200, height: 80)
    let picture = GroundTruthPicture(name: "a", size: size, faces: [trueFace(at: 0)])
    #expect(try picture.faces(inPictureOf: size) == picture.faces)
    #expect(
      refusal { _ = try picture.faces(inPictureOf: Size2D(width: 100, height: 40)) }
        == "a: found a picture of 100 × 40 pixels, expected 200 × 80, as the ground truth states")
  }
}

struct GroundTruthFaceTests {
  @Test func emptyBoxesAreIgnored() {
    #expect(GroundTruthFace(box: rectangle(3, 4, 0, 5)).standing == .ignored)
    #expect(GroundTruthFace(box: rectangle(3, 4, 5, 5)).standing == .counted)
    #expect(GroundTruthFace(box: rectangle(3, 4, 0, 5), standing: .crowd).standing == .crowd)
  }

  /// Boxes of 10 × 10 and 20 × 10 that share 5 × 10: 50 of 250, or of the detection's 100.
  @Test func aCrowdIsMeasuredByTheDetection() {
    let box = rectangle(5, 0, 20, 10)
    for (face, overlap) in [
      (GroundTruthFace(box: box), 0.2), (GroundTruthFace(box: box, standing: .ignored), 0.2),
      (GroundTruthFace(box: box, standing: .crowd), 0.5),
    ] {
      #expect(face.overlap(with: rectangle(0, 0, 10, 10)) == overlap)
      #expect(face.overlap(with: rectangle(50, 0, 10, 10)) == 0)
      #expect(face.overlap(with: rectangle(10, 5, 0, 0)) == 0)
    }
  }
}
