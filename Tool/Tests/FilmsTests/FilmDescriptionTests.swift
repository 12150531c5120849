import Testing
import Untrusted

@testable import Films

struct FilmDescriptionTests {
  @Test func aLineHasEntries() {
    let entries = FilmEntries(
      UntrustedText(
        #"index=1|codec_name=aac|tag:title=a\|tag:language=ita\\|tag:language=deu"#
          + "|side_datum/display_matrix:rotation=-90|disposition:default=1"))
    #expect(entries["index"] == "1" && entries["codec_name"] == "aac")
    #expect(entries.has("tag:title") && entries["tag:language"] == "deu")
    #expect(entries["rotation"] == "-90" && entries["disposition:default"] == "1")
    #expect(entries["default"] == nil && !entries.has("title"))
  }

  /// As strings, such texts are compared in a time that grows with the square of their length.
  @Test func combiningMarksTakeNoTime() {
    let marks = String(repeating: "\u{301}\u{316}", count: 100_000)
    let line = "index=1|tag:title=\(marks)|tag:language=\(marks)|\(marks)=1|\(marks)=2|pix_fmt=gray"
    let duration = ContinuousClock().measure {
      let entries = FilmEntries(UntrustedText(line))
      #expect(entries.has("tag:title") && entries["tag:title"] == nil)
      #expect(entries["tag:language"] == nil && entries["pix_fmt"] == "gray")
    }
    #expect(duration < .seconds(5))
  }
}
