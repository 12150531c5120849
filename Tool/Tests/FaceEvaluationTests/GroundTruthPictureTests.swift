import FaceDecoding
import TestSupport
import Testing
import Untrusted

@testable import FaceEvaluation

struct GroundTruthPictureTests {
  @Test(arguments: [
    ("a.jpg", "a"), ("0--Parade/0_Parade_1.jpg", "0--Parade/0_Parade_1"), ("a.b.png", "a.b"),
    ("plain", "plain"), (".hidden", ".hidden"), ("a.d/b", "a.d/b"), ("größe 1.png", "größe 1"),
    ("a\\b.jpg", "a/b"), ("./a.png", "a"), (".\\a/./b.c\\d", "a/b.c/d"), ("a//b.png", "a/b"),
    ("c:d/b.png", "c:d/b"),
    ("/data/upload/a.png", "a"), ("../a.png", "a"), ("a/../../b.png", "b"), ("..\\a.png", "a"),
    ("C:\\p\\a.png", "a"), ("https://h/p/a.png", "a"), ("../\u{301}a.png", "\u{301}a"),
    ("a/../\u{200D}b.png", "\u{200D}b"),
  ])
  func namesHaveNoSuffixAndStayInTheDirectory(path: String, name: String) {
    #expect(pictureName(UntrustedText(path)) == name)
  }

  @Test(arguments: [
    "", ".", "..", "/", "a/..", "a\u{0}.png", "a\nb.png", String(repeating: "a", count: 2000),
  ])
  func refusesWhatNamesNoFile(path: String) {
    #expect(pictureName(UntrustedText(path)) == nil)
  }

  @Test func scalesNormalizedFaces() throws {
    let eye = Point(x: 0.5, y: 0.25)
    let landmarks = Landmarks(Array(repeating: eye, count: 5))
    let face = GroundTruthFace(
      box: rectangle(0.25, 0.5, 0.5, 0.125), landmarks: landmarks, standing: .ignored)
    let picture = GroundTruthPicture(name: "a", isNormalized: true, faces: [face])
    let scaled = try picture.faces(inPictureOf: Size(width: 200, height: 80))
    #expect(scaled.first?.box == rectangle(50, 40, 100, 10))
    #expect(scaled.first?.landmarks?.nose == Point(x: 100, y: 20))
    #expect(scaled.first?.standing == .ignored)
  }

  @Test func refusesAPictureOfAnotherSize() throws {
    let size = Size(width: 200, height: 80)
    let picture = GroundTruthPicture(name: "a", size: size, faces: [trueFace(at: 0)])
    #expect(try picture.faces(inPictureOf: size) == picture.faces)
    let error = truthError { _ = try picture.faces(inPictureOf: Size(width: 100, height: 40)) }
    #expect(
      error?.description
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
    let found = rectangle(0, 0, 10, 10)
    let box = rectangle(5, 0, 20, 10)
    #expect(GroundTruthFace(box: box).overlap(with: found) == 0.2)
    #expect(GroundTruthFace(box: box, standing: .ignored).overlap(with: found) == 0.2)
    #expect(GroundTruthFace(box: box, standing: .crowd).overlap(with: found) == 0.5)
    let crowd = GroundTruthFace(box: rectangle(50, 0, 20, 10), standing: .crowd)
    #expect(crowd.overlap(with: found) == 0)
    #expect(crowd.overlap(with: rectangle(55, 5, 0, 0)) == 0)
  }
}
