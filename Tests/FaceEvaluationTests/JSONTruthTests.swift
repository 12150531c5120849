import FaceEvaluation
import Testing

struct JSONTruthTests {
  @Test func tellsTheFormsApart() throws {
    let coco = #"{"images": [{"id": 1, "file_name": "a.jpg"}], "annotations": []}"#
    let labels = #"{"a.jpg": {"boxes": []}}"#
    for text in [coco, labels] {
      let pictures = try JSONTruth.read(Array(text.utf8), source: "t.json")
      #expect(pictures.map(\.name) == ["a"])
    }
    let half = truthError {
      _ = try JSONTruth.read(Array(#"{"images": []}"#.utf8), source: "t.json")
    }
    #expect(half?.description == "t.json: found no annotations, expected one")
  }

  @Test(arguments: [
    ("{\"a\": {\"boxes\": [[\"1\"]]}}", "a.boxes[0][0]", "a number"),
    ("{\"a\": {\"boxes\": 1}}", "a.boxes", "an array or an object"),
    (
      "{\"images\": [{\"id\": 1, \"file_name\": 2}], \"annotations\": []}", "images[0].file_name",
      "a string"
    ),
  ])
  func saysWhatKindOfValueIsExpected(text: String, element: String, expected: String) {
    let error = truthError { _ = try JSONTruth.read(Array(text.utf8), source: "t.json") }
    #expect(error?.position == .element(element))
    #expect(error?.found == "a value of another kind")
    #expect(error?.expected == expected)
  }

  @Test func refusesWhatIsNoJSON() {
    let deep = String(repeating: "[", count: 1_000_000)
    let zero = "{\"a\": {\"boxes\": [[1\0junk, 2, 3, 4]]}}"
    for text in ["", "{", "[}", "{\"a\": NaN}", "\u{0}", zero, deep] {
      let error = truthError { _ = try JSONTruth.read(Array(text.utf8), source: "t.json") }
      #expect(error?.position == .file)
      #expect(error?.file == "t.json")
    }
  }
}
