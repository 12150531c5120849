// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceUntrusted

@testable import YOLOFaceEvaluation

struct TextLinesTests {
  @Test(arguments: ["\n", "\r\n", "\r"]) func readsLinesOfEverySystem(end: String) {
    let text = ["one", "", " \t two three ", "four"].joined(separator: end)
    let utf16 = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for bytes in [Array(text.utf8), [0xFF, 0xFE] + utf16, utf16] {
      var lines = TextLines(bytes, source: "a.txt")
      #expect((0..<3).map { _ in lines.next()?.description } == ["one", "", "two three"])
      #expect(lines.number == 3)
      #expect(lines.nextWithText()?.description == "four")
      #expect(lines.next() == nil)
    }
  }

  @Test(arguments: [
    "nan", "inf", "-inf", "1e999", "1e8", "-1e8", "1,5,", "one", "1 2 x", "1\0", "1\0junk", "0x1",
  ])
  func refusesMalformedCoordinates(text: String) throws {
    let lines = TextLines([], source: "a.txt")
    #expect(try lines.numbers(in: UntrustedText("1 -2.5\t3e2")) == [1, -2.5, 300])
    #expect(throws: GroundTruthError.self) { try lines.numbers(in: UntrustedText(text)) }
  }
}
