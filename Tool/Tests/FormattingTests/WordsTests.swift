import Formatting
import Testing

struct WordsTests {
  @Test func escapesTerminalControls() {
    #expect(printable("plain ü 🙂") == "plain ü 🙂")
    #expect(
      printable("a\u{1B}[2J\nb\u{7F}\u{9B}\u{2028}") == "a\\u{1B}[2J\\u{A}b\\u{7F}\\u{9B}\\u{2028}")
  }
}
