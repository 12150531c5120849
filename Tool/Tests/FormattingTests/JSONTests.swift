import Formatting
import Foundation
import Testing

struct JSONTests {
  @Test(arguments: ["", "a\"b\\c/d", "\u{1}\u{1F}\n\t\u{7F}", "é\u{301}\u{1F600}\u{2028}"])
  func quotesAsJSONRequires(text: String) throws {
    let found = try JSONSerialization.jsonObject(
      with: Data(quotedJSON(text).utf8), options: .fragmentsAllowed)
    #expect(found as? String == text)
  }
}
