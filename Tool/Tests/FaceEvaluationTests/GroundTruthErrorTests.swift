// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceEvaluation

struct GroundTruthErrorTests {
  private func text(_ position: GroundTruthError.Position, found: String = "x") -> String {
    GroundTruthError(file: "a", position: position, found: found, expected: "y").description
  }

  @Test func namesThePosition() {
    #expect(text(.line(3)) == "a:3: found x, expected y")
    #expect(text(.element("b[1]")) == "a, b[1]: found x, expected y")
    #expect(text(.file) == "a: found x, expected y")
  }

  @Test(arguments: ["x", "e\u{301}"]) func cutsLongTexts(letter: String) {
    let long = "x" + String(repeating: letter, count: 1 << 18)
    #expect(text(.file, found: long).utf8.count < 500)
    #expect(text(.element(long)).utf8.count < 500)
  }
}
