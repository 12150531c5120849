// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import YOLOFaceNCNN

@Suite struct ModelErrorTests {
  private func error(_ position: ModelError.Position, _ found: String = "this") -> ModelError {
    ModelError(
      file: "a.param", position: position, reason: .syntax, found: found, expected: "that")
  }

  @Test(
    arguments: [(.line(7), ":7"), (.byte(64), ", byte 64"), (.file, "")]
      as [(ModelError.Position, String)])
  func descriptions(position: ModelError.Position, place: String) {
    #expect(error(position).description == "a.param\(place): found this, expected that")
  }

  @Test func truncatesLongFindings() {
    let exact = String(repeating: "x", count: 4096)
    #expect(error(.file, exact).found == exact)
    #expect(error(.file, exact + "x").found == exact + "…")
    // One character to Swift, however many marks it carries.
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(error(.file, marks).found.utf8.count < 4200)
    // Cut before the character that the limit divides.
    #expect(error(.file, exact.dropLast() + "é").found == exact.dropLast() + "…")
  }

  @Test func listsNameTheFirstFew() {
    let names = (1...13).map { "\($0)" }
    #expect(names[..<12].listForMessage == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12")
    #expect(names.listForMessage == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 1 more")
    let long = Array(repeating: String(repeating: "x", count: 5000), count: 3)
    #expect(long.listForMessage.utf8.count < 4200)
  }

  @Test func messagesFromHostileFilesAreShort() throws {
    let digits = String(repeating: "9", count: 100_000)
    let zeros = Array(repeating: "0", count: 100_000).joined(separator: ",")
    for text in [
      "\(digits)\n", "7767517\n\(digits) 1\n", "7767517\n1 1\nInput a \(digits) 1 a\n",
      "7767517\n1 1\nInput a 0 1 a \(digits)\n", "7767517\n1 1\nInput a 0 1 a \(digits)=\n",
      "7767517\n1 1\nInput a 0 1 a 0=\(digits)\n", "7767517\n1 1\nInput a 0 1 a 0=\"a\"\(digits)\n",
      "7767517\n2 2\nInput a 0 1 a\nSlice b 1 1 a b 0=\(zeros)\n",
    ] {
      let error = try #require(refusal { try read(text).requireKnownLayers() })
      #expect(error.description.utf8.count < 9000)
    }
  }
}
