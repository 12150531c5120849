// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceUntrusted

struct UntrustedTextTests {
  @Test func isTheSameWhereTheBytesAre() {
    let (composed, decomposed) = (UntrustedText("\u{E9}"), UntrustedText("e\u{301}"))
    #expect("\u{E9}" == "e\u{301}")
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed, UntrustedText("\u{E9}")]).count == 2)
    #expect(UntrustedText("a") < UntrustedText("b"))
    #expect(UntrustedText("ab")[1...] == UntrustedText("b"))
  }

  @Test(arguments: [
    ("", [""]), ("\n", ["", ""]), ("a\n\nb", ["a", "", "b"]), ("a\n", ["a", ""]),
  ])
  func hasParts(text: String, parts: [String]) {
    #expect(UntrustedText(text).parts(between: 0x0A).map(\.description) == parts)
    #expect(UntrustedText("x" + text)[1...].parts(between: 0x0A).map(\.description) == parts)
  }

  @Test func linesOfSpaceAreCounted() {
    let lines = UntrustedText("\n \t\r\n  one two \r\n\n3").lines
    #expect(lines.map(\.number) == [3, 5])
    #expect(lines.map(\.text.description) == ["one two", "3"])
    #expect(UntrustedText("\n \n").lines.map(\.number).isEmpty)
  }

  @Test func isComparedWithLiterals() {
    let text = UntrustedText("xmlns:a")
    #expect(text == "xmlns:a" && !(text == "xmlns") && !(text == "xmlns:ab"))
    #expect(text.starts(with: "xmlns:") && text.ends(with: ":a") && !text.ends(with: "xxmlns:a"))
    #expect(text.dropping("xmlns:") == UntrustedText("a") && text.dropping("a") == nil)
    #expect(text.behind("ns") == UntrustedText(":a") && text.behind("an") == nil)
    #expect(text.cut(at: 0x3A)?.before == UntrustedText("xmlns") && text.cut(at: 0x3D) == nil)
    #expect(UntrustedText(" a b ").trimming { $0 == 0x20 } == UntrustedText("a b"))
    #expect(UntrustedText("  ").trimming { $0 == 0x20 }.isEmpty)
  }

  @Test func excerptsEndBetweenCharacters() {
    #expect(UntrustedText("aé").excerpt(3) == "aé")
    #expect(UntrustedText("aéb").excerpt(2) == "a…" && UntrustedText("aéb").excerpt(3) == "aé…")
    #expect(UntrustedText([0x80, 0x80, 0x80]).excerpt(2) == "…")
    #expect(UntrustedText([0x61, 0xFF]).description == "a\u{FFFD}")
    for most in [0, -1, .min] { #expect(UntrustedText("xaé")[1...].excerpt(most) == "…") }
  }

  @Test(arguments: ["nan", "inf", "0x1", "1\0", "1 ", "", "1e", "１"])
  func refusesOtherNumbers(text: String) {
    #expect(UntrustedText(text).decimal() == nil && UntrustedText(text).integer() == nil)
  }

  @Test func readsNumbers() {
    #expect(UntrustedText("-1.5e2").decimal() == -150 && UntrustedText("+7").integer() == 7)
    #expect(UntrustedText("300").integer(UInt8.self) == nil)
    #expect(UntrustedText(String(repeating: "0", count: 100) + "1").integer() == nil)
  }

  /// The most marks of Unicode's stream-safe form, which a letter ends.
  @Test func countsMarksBehindEachOther() {
    func text(_ marks: Int) -> UntrustedText {
      UntrustedText("a" + String(repeating: "\u{301}", count: marks) + "b\u{301}")
    }
    #expect(text(30).isStreamSafe && !text(31).isStreamSafe)
  }
}
