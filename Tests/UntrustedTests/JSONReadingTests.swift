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
    ("", "the end of the text in line 1", "JSON"),
    ("{\"x\":\n\n +1\n}", "\"+1\" in line 3", "JSON"),
    ("[1, 02]", "\"02]\" in line 1", "JSON"),
    ("{\"x\": 1}\n\n{\"x\": 1}", "\"{\"x\": 1}\" in line 3", "JSON"),
    ("{\"x\": .5, \"is\": true}", "\".5, \"is\": true}\" in line 1", "JSON"),
    ("[\"a\\qb\"]", "\"\"a\\qb\"]\" in line 1", "JSON"),
    ("{\"x\": 1", "the end of the text in line 1", "JSON"),
    ("[1]", "a value of another kind", "an object"), (#"{"y": 1}"#, "no x", "one"),
    (#"{"x": null}"#, "null in x", "a value"),
    (#"{"x": "1"}"#, "a value of another kind in x", "a number"),
    (#"{"x": 1, "isSet": 1}"#, "a value of another kind in isSet", "true or false"),
    (
      #"{"x": 1e99}"#, "a value that is out of range or has another form",
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
