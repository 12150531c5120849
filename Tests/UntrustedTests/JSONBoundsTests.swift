// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceUntrusted

struct JSONBoundsTests {
  private func found(_ text: String) -> String? {
    let error = #expect(throws: JSONError.self) { try JSONBounds().check(Array(text.utf8)[...]) }
    return error?.found
  }

  /// A decoder would compare such keys for minutes, escaped or not.
  @Test(arguments: ["\u{301}", #"\u0301"#, #"\uD834\uDD65"#])
  func refusesKeysOfManyMarks(mark: String) throws {
    func object(_ count: Int) -> String {
      #"{"a\#(String(repeating: mark, count: count))": 1}"#
    }
    #expect(try JSONBounds().check(Array(object(30).utf8)[...]) == 1)
    #expect(found(object(31)) == "a key with more combining marks behind each other")
  }

  @Test func refusesLongKeys() throws {
    func object(_ count: Int) -> String { "{\"\(String(repeating: "a", count: count))\":1}" }
    #expect(try JSONBounds().check(Array(object(2048).utf8)[...]) == 1)
    #expect(found(object(2049)) == "a key of 2049 bytes")
  }

  @Test func refusesStringsWhereTheyAreCompared() throws {
    let text = #"{"a": ["\#(String(repeating: "\u{301}", count: 31))"]}"#
    let bounds = JSONBounds(boundsStrings: true)
    #expect(throws: JSONError.self) { try bounds.check(Array(text.utf8)[...]) }
    #expect(try bounds.check(Array(#"{"a": "\#u{E9}\\"}"#.utf8)[...]) == 1)
  }

  /// Elsewhere, values are not compared.
  @Test func valuesMayBeLong() throws {
    let marks = String(repeating: "\u{301}", count: 10_000)
    #expect(try JSONBounds().check(Array("{\"a\": \"\(marks)\", \"b\": 2}".utf8)[...]) == 2)
  }
}
