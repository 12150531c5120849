import Testing
import Untrusted

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
}
