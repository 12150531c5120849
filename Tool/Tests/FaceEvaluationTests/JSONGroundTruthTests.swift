import FaceEvaluation
import Testing

struct JSONGroundTruthTests {
  private func read(_ text: String, requiresFaces: Bool = true) throws -> [GroundTruthPicture] {
    try JSONGroundTruth.read(Array(text.utf8), source: "t.json", requiresFaces: requiresFaces)
  }

  /// COCO's form, with and without annotations, and that of labels, also behind a byte order mark.
  @Test(arguments: [
    (#"{"images": [{"id": 1, "file_name": "a.jpg"}], "annotations": []}"#, true),
    (#"{"images": [{"id": 7, "file_name": "a.jpg"}]}"#, false),
    (#"{"a.jpg": {"boxes": []}}"#, true), ("\u{FEFF}{\"a.jpg\": {\"boxes\": []}}", true),
  ])
  func distinguishesTheForms(text: String, requiresFaces: Bool) throws {
    let pictures = try read(text, requiresFaces: requiresFaces)
    #expect(pictures.map(\.name) == ["a"] && pictures[0].faces.isEmpty)
  }

  private static let forms =
    #"COCO's images and annotations, or for each picture such as {"a.png": {"boxes": [[x0, y0, x1, y1]]}}"#

  @Test(arguments: [
    (#"{"a": {"boxes": [["1"]]}}"#, "a.boxes[0][0]", "a number"),
    (#"{"a": {"boxes": 1}}"#, "a.boxes", "an array"),
    (#"{"a": [[1, 2, 3, 4]]}"#, "a", forms), (#"{"version": "5.0"}"#, "version", forms),
    (#"{"images": [1], "annotations": []}"#, "images[0]", "an object"),
    (
      #"{"images": [{"id": 1, "file_name": 2}], "annotations": []}"#, "images[0].file_name",
      "a string"
    ),
  ])
  func namesTheExpectedKindOfValue(text: String, element: String, expected: String) {
    #expect(
      refusal { _ = try read(text) }
        == "t.json, \(element): found a value of another kind, expected \(expected)")
  }

  /// Texts, and how their errors go on behind the file's name.
  @Test(arguments: [
    (#"{"images": []}"#, ": found no annotations, expected one"),
    ("", ": "), ("{", ": "), ("[}", ": "), ("{\"a\": nan}", ": "), ("\u{0}", ": "),
    ("{\"a\": {\"boxes\": [[1\0junk, 2, 3, 4]]}}", ": "),
    (String(repeating: "[", count: 1_000_000), ": "),
    ("{\"NaN\":\n [-Infinity]}", ":2: found Infinity"),
    ("{\"a\": 1,\n\n\"b\": NaN}", ":3: found NaN"),
    ("{'a': 1}", ":1: found '"), ("{\"a\": True}", ":1: found True"),
  ])
  func refusesMalformedJSON(text: String, error: String) {
    #expect(refusal { _ = try read(text) }.hasPrefix("t.json\(error)"))
  }

  private static let limit = 1 << 22

  /// Files that would cost a decoder much time or memory, and what the error names in them: not the row itself.
  private static let bombs: [(bytes: [UInt8], found: String)] = [
    (labels(repeated("1,", 999) + "1"), "the face of 1000 numbers"),
    (labels(repeated("1,", limit - 1) + "1"), "more values"),
    (labels(repeated("1,2,3,4],[", limit / 4) + "1"), "more values"),
    (labels("1", ignored: repeated("[],", limit / 2)), "more values"),
    (labels("1", ignored: repeated("{},", limit / 2)), "more values"),
    (Array("{\(repeated("\"a\":1,", 1_000_001))}".utf8), "more members of an object"),
    (Array("{\"a\":\(repeated("[", 100_000))".utf8), "values nested deeper"),
    (utf16("\u{FEFF}{\"a\":[\(repeated("1,", limit))"), "more values"),
    // After quotes in UTF-16, which without a mark is not known to be that.
    (utf16("\u{2222}{\"a\":[\(repeated("1,", limit))"), "a zero byte"),
  ]

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }

  private static func labels(_ row: String, ignored: String = "") -> [UInt8] {
    Array("{\"a.png\":{\"boxes\":[[\(row)]],\"more\":[\(ignored)1]}}".utf8)
  }

  private static func utf16(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  @Test(arguments: bombs.indices) func refusesBombsBeforeTheyAreDecoded(bomb: Int) {
    let (bytes, found) = Self.bombs[bomb]
    let error = refusal { _ = try JSONGroundTruth.read(bytes, source: "t.json") }
    #expect(error.contains(": found \(found),"))
  }

  /// Structure inside strings does not count.
  @Test func readsUpToTheLimits() throws {
    let name = String(repeating: "[{,:\\\"", count: 100) + "é.png"
    let rows = Array(repeating: "[1,2,3,4]", count: 20_000).joined(separator: ",")
    let deep = String(repeating: "[", count: 29) + String(repeating: "]", count: 29)
    let pictures = try read(
      #"{"\#(name)": {"boxes": [\#(rows)], "more": ["\\", "a\"]", \#(deep)]}}"#)
    #expect(pictures.map(\.faces.count) == [20_000])
  }
}
