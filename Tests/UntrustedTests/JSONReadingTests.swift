// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceUntrusted

struct JSONReadingTests {
  private struct Point: Decodable {
    var x: Int
    var isSet: Bool?
  }

  /// Errors are in words of this project, not of the decoder.
  @Test(arguments: [
    ("", "a text that is not JSON, or has a number out of range", "JSON, with numbers in range"),
    ("[1]", "a value of another kind", "an object"), (#"{"y": 1}"#, "no x", "one"),
    (#"{"x": null}"#, "null in x", "a value"),
    (#"{"x": "1"}"#, "a value of another kind in x", "a number"),
    (#"{"x": 1, "isSet": 1}"#, "a value of another kind in isSet", "true or false"),
    (
      #"{"x": 1e99}"#, "a text that is not JSON, or has a number out of range",
      "JSON, with numbers in range"
    ),
    (
      "{\n'x': 1}", "' in line 2",
      "JSON, whose numbers are finite and whose words are true, false and null"
    ),
  ])
  func saysWhatIsWrong(text: String, found: String, expected: String) {
    let error = #expect(throws: JSONError.self) {
      try decodedJSON(Point.self, from: Array(text.utf8)[...])
    }
    #expect(error?.description == "found \(found), expected \(expected)")
  }
}
