// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceUntrusted

@testable import YOLOFaceFilms

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
}
