import Testing
import Untrusted

struct JSONReadingTests {
  private struct Point: Decodable {
    var x: Int
    var isSet: Bool?
  }

  /// Errors are in words of this project, not of the decoder.
  @Test(arguments: [
    (
      "",
      "found a text that is not JSON, or has a number out of range, expected JSON, with numbers in range"
    ),
    ("[1]", "found a value of another kind, expected an object"),
    (#"{"y": 1}"#, "found no x, expected one"),
    (#"{"x": null}"#, "found null in x, expected a value"),
    (#"{"x": "1"}"#, "found a value of another kind in x, expected a number"),
    (#"{"x": 1, "isSet": 1}"#, "found a value of another kind in isSet, expected true or false"),
    (
      #"{"x": 1e99}"#,
      "found a text that is not JSON, or has a number out of range, expected JSON, with numbers in range"
    ),
    (
      "{\n'x': 1}",
      "found ' in line 2, expected JSON, whose numbers are finite and whose words are true, false and null"
    ),
  ])
  func saysWhatIsWrong(text: String, message: String) {
    let error = #expect(throws: JSONError.self) {
      try decodedJSON(Point.self, from: Array(text.utf8)[...])
    }
    #expect(error?.description == message)
  }
}
