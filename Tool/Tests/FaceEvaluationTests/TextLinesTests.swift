import Testing

@testable import FaceEvaluation

struct TextLinesTests {
  @Test func readsLinesOfEverySystem() {
    var lines = TextLines(Array("one\r\n\n \t two three \nfour".utf8), source: "a.txt")
    #expect(lines.next() == "one")
    #expect(lines.next() == "")
    #expect(lines.next() == "two three")
    #expect(lines.number == 3)
    #expect(lines.nextWithText() == "four")
    #expect(lines.next() == nil)
  }

  @Test func readsNumbers() throws {
    let lines = TextLines([], source: "a.txt")
    #expect(try lines.numbers(in: "1 -2.5\t3e2") == [1, -2.5, 300])
  }

  @Test(arguments: [
    "nan", "inf", "-inf", "1e999", "1e8", "-1e8", "1,5", "one", "1 2 x", "1\0", "1\0junk", "0x1",
  ])
  func refusesMalformedCoordinates(text: String) {
    let lines = TextLines([], source: "a.txt")
    #expect(throws: GroundTruthError.self) { try lines.numbers(in: text) }
  }
}
