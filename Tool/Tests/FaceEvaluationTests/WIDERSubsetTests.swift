// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceEvaluation

struct WIDERSubsetTests {
  private func read(_ text: String) throws -> WIDERSubset {
    try WIDERSubset(Array(text.utf8), name: "easy", source: "easy.txt")
  }

  @Test func readsTheNumbersOfFaces() throws {
    let subset = try read("0--Parade/a.jpg\n1 3\nb.jpg\n\nc.jpg\n2 \n")
    #expect((0..<4).map { subset.contains($0, of: "0--Parade/a") } == [true, false, true, false])
    #expect(subset.contains(1, of: "c"))
    #expect(!subset.contains(0, of: "b") && !subset.contains(0, of: "another"))
  }

  @Test(arguments: [
    ("a.jpg\n0\n", "2: found \"0\""), ("a.jpg\n1 x\n", "2: found \"x\""),
    ("a.jpg\n-1\n", "2: found \"-1\""), ("a.jpg\n1 1\n", "2: found the face 1 a second time"),
    ("a.jpg\n1\na.jpg\n1\n", "4: found a a second time"), ("..\n1\n", "1: found the name \"..\""),
    ("a.jpg\n99999999999999999999\n", "2: found \"99999999999999999999\""),
    ("a.jpg\n2\n", "2: found the face 2 of a"), ("a.jpg\n1\nb.jpg\n\n", "3: found the picture b"),
  ])
  func refuses(text: String, error: String) throws {
    let truth = [GroundTruthPicture(name: "a", faces: [trueFace(at: 0)])]
    try read("a.jpg\n1\n").check(against: truth)
    #expect(refusal { try read(text).check(against: truth) }.hasPrefix("easy.txt:\(error),"))
  }
}
