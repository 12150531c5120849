import FaceEvaluation
import Testing

struct GroundTruthErrorTests {
  @Test func namesThePosition() {
    func text(_ position: GroundTruthError.Position) -> String {
      GroundTruthError(file: "a", position: position, found: "x", expected: "y").description
    }
    #expect(text(.line(3)) == "a:3: found x, expected y")
    #expect(text(.element("b[1]")) == "a, b[1]: found x, expected y")
    #expect(text(.file) == "a: found x, expected y")
  }

  @Test func cutsLongTexts() {
    let error = GroundTruthError(
      file: "a", position: .file, found: String(repeating: "x", count: 1 << 20), expected: "y")
    #expect(error.description.utf8.count < 400)
    let key = GroundTruthError(
      file: "a", position: .element(String(repeating: "x", count: 1 << 20)), found: "y",
      expected: "z")
    #expect(key.description.utf8.count < 400)
    let letters = GroundTruthError(
      file: "a", position: .file, found: "x" + String(repeating: "e\u{301}", count: 200),
      expected: "y")
    #expect(letters.found.utf8.count < 500)
  }
}
