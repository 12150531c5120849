// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceFormatting

struct WordsTests {
  @Test(arguments: [
    ("plain ü 👩‍🚀 אב", "plain ü 👩‍🚀 אב"), ("a\u{200B}b\u{FEFF}", "a\\u{200B}b\\u{FEFF}"),
    ("a\u{202E}gnp.b\u{2066}\u{200F}", "a\\u{202E}gnp.b\\u{2066}\\u{200F}"),
    ("a\u{1B}[2J\nb\u{7F}\u{9B}\u{2028}", "a\\u{1B}[2J\\u{A}b\\u{7F}\\u{9B}\\u{2028}"),
  ])
  func escapesTerminalControls(text: String, shown: String) { #expect(printable(text) == shown) }

  @Test(arguments: [
    "", "a\u{1B}\u{10FFFD}\u{E0001}", "\\u{41}", "\\\u{200B}u{41}\\",
    "\\u{}\\u{110000}\\u{D800}\\u{41",
  ])
  func escapesAreUndone(text: String) {
    #expect(unescaped(Array(printable(text).utf8)[...]) == Array(text.utf8))
  }

  @Test func leavesOutTheMiddleOfLongTexts() {
    #expect(shortened("abcd", to: 4) == "abcd")
    #expect(shortened("abcde", to: 4) == "ab…de")
    #expect(shortened(String(repeating: "é", count: 40_000), to: 2).utf8.count == 7)
  }
}

struct DecimalsTests {
  @Test(arguments: [
    (0, 1, "0.0"), (-0.0, 1, "0.0"), (-0.04, 1, "0.0"), (0.04, 1, "0.0"), (-0.06, 1, "-0.1"),
    (1, 3, "1.000"), (0.9, 3, "0.900"), (0.0004, 3, "0.000"), (123.46, 1, "123.5"),
    (-123.46, 1, "-123.5"), (1e300, 1, "1e+300"), (9.96, 1, "10.0"),
  ])
  func writesFixedDecimals(number: Double, decimals: Int, text: String) {
    #expect(fixed(number, decimals: decimals) == text)
  }

  @Test(arguments: [
    (0, "0 B"), (1023, "1023 B"), (1024, "1 KiB"), (1536, "1.5 KiB"), (1 << 20, "1 MiB"),
    (5_000_000, "4.8 MiB"), (1 << 31, "2048 MiB"),
  ])
  func writesSizesInBytes(bytes: Int, text: String) {
    #expect(binarySize(bytes) == text)
  }
}
