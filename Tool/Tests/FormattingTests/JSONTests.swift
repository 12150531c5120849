// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import YOLOFaceFormatting

struct JSONTests {
  private static let controls = "\u{7F}\u{9B}\u{202E}\u{E0001}\u{200D}é"

  @Test(arguments: [
    "", "a\"b\\c/d", "\u{1}\u{1F}\n\t\u{7F}", "é\u{301}\u{1F600}\u{2028}", controls,
  ])
  func quotesAsJSONRequires(text: String) throws {
    let found = try JSONSerialization.jsonObject(
      with: Data(quotedJSON(text).utf8), options: .fragmentsAllowed)
    #expect((found as? String)?.utf8.elementsEqual(text.utf8) == true)
  }

  @Test func escapesWhatControlsATerminal() throws {
    let shown = "\"\\u007f\\u009b\\u202e\\udb40\\udc01\u{200D}é\""
    for text in [quotedJSON(Self.controls), try Self.controls.json()] {
      #expect(text.utf8.elementsEqual(shown.utf8))
    }
  }

  /// In words of this project.
  @Test func saysWhatCannotBeWritten() {
    let error = #expect(throws: UnwritableValue.self) { try ["a": [1, Double.nan]].json() }
    #expect(error?.description == "results: found nan at a.1, expected a number that JSON has")
  }
}
