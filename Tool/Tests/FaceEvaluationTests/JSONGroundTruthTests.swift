import FaceEvaluation
import Testing

struct JSONGroundTruthTests {
  @Test func distinguishesTheForms() throws {
    let coco = #"{"images": [{"id": 1, "file_name": "a.jpg"}], "annotations": []}"#
    let labels = #"{"a.jpg": {"boxes": []}}"#
    for text in [coco, labels] {
      let pictures = try JSONGroundTruth.read(Array(text.utf8), source: "t.json")
      #expect(pictures.map(\.name) == ["a"])
    }
    let half = truthError {
      _ = try JSONGroundTruth.read(Array(#"{"images": []}"#.utf8), source: "t.json")
    }
    #expect(half?.description == "t.json: found no annotations, expected one")
    let numbers = #"{"images": [{"id": 7, "file_name": "a.jpg"}]}"#
    let pictures = try JSONGroundTruth.read(
      Array(numbers.utf8), source: "t.json", requiresFaces: false)
    #expect(pictures.map(\.identifier) == ["7"] && pictures[0].faces.isEmpty)
  }

  private static let forms =
    #"COCO's images and annotations, or for each picture such as {"a.png": {"boxes": [[x0, y0, x1, y1]]}}"#

  @Test(arguments: [
    ("{\"a\": {\"boxes\": [[\"1\"]]}}", "a.boxes[0][0]", "a number"),
    ("{\"a\": {\"boxes\": 1}}", "a.boxes", "an array"),
    ("{\"a\": [[1, 2, 3, 4]]}", "a", forms), ("{\"version\": \"5.0\"}", "version", forms),
    ("{\"images\": [1], \"annotations\": []}", "images[0]", "an object"),
    (
      "{\"images\": [{\"id\": 1, \"file_name\": 2}], \"annotations\": []}", "images[0].file_name",
      "a string"
    ),
  ])
  func namesTheExpectedKindOfValue(text: String, element: String, expected: String) {
    let error = truthError { _ = try JSONGroundTruth.read(Array(text.utf8), source: "t.json") }
    #expect(error?.position == .element(element))
    #expect(error?.found == "a value of another kind")
    #expect(error?.expected == expected)
  }

  @Test func refusesMalformedJSON() {
    let deep = String(repeating: "[", count: 1_000_000)
    let zero = "{\"a\": {\"boxes\": [[1\0junk, 2, 3, 4]]}}"
    for text in ["", "{", "[}", "{\"a\": nan}", "\u{0}", zero, deep] {
      let error = truthError { _ = try JSONGroundTruth.read(Array(text.utf8), source: "t.json") }
      #expect(error?.position == .file)
      #expect(error?.file == "t.json")
    }
  }

  @Test(arguments: [
    ("{\"NaN\":\n [-Infinity]}", 2, "Infinity"), ("{\"a\": 1,\n\n\"b\": NaN}", 3, "NaN"),
    ("{'a': 1}", 1, "'"),
    ("{\"a\": True}", 1, "True"),
  ])
  func namesTheLineOfAWordThatIsNotJSON(text: String, line: Int, found: String) {
    let error = truthError { _ = try JSONGroundTruth.read(Array(text.utf8), source: "t.json") }
    #expect(error?.position == .line(line))
    #expect(error?.found == found)
  }

  @Test func aByteOrderMarkMayComeFirst() throws {
    let text = "\u{FEFF}{\"a.png\": {\"boxes\": []}}"
    #expect(try JSONGroundTruth.read(Array(text.utf8), source: "t.json").map(\.name) == ["a"])
  }

  private static let limit = 1 << 22

  /// Files that would cost a decoder much time or memory, and what the error names in them.
  static let bombs: [(bytes: [UInt8], found: String)] = [
    (labels(Array(repeating: "1", count: limit).joined(separator: ",")), "more values"),
    (labels(Array(repeating: "1,2,3,4", count: limit / 4).joined(separator: "],[")), "more values"),
    (labels("1", ignored: String(repeating: "[],", count: limit / 2)), "more values"),
    (labels("1", ignored: String(repeating: "{},", count: limit / 2)), "more values"),
    (
      [UInt8]("{\(String(repeating: "\"a\":1,", count: 1_000_001))}".utf8),
      "more members of an object"
    ),
    ([UInt8]("{\"a\":\(String(repeating: "[", count: 100_000))".utf8), "values nested deeper"),
    (
      Array("\u{FEFF}{\"a\":[\(String(repeating: "1,", count: limit))".utf16).flatMap {
        [UInt8($0 & 0xFF), UInt8($0 >> 8)]
      }, "more values"
    ),
    // After quotes in UTF-16, which without a mark is not known to be that.
    (
      Array("\u{2222}{\"a\":[\(String(repeating: "1,", count: limit))".utf16).flatMap {
        [UInt8($0 & 0xFF), UInt8($0 >> 8)]
      }, "a zero byte"
    ),
  ]

  private static func labels(_ row: String, ignored: String = "") -> [UInt8] {
    [UInt8]("{\"a.png\":{\"boxes\":[[\(row)]],\"more\":[\(ignored)1]}}".utf8)
  }

  @Test(arguments: bombs.indices)
  func refusesBombsBeforeTheyAreDecoded(bomb: Int) throws {
    let (bytes, found) = Self.bombs[bomb]
    let error = truthError { _ = try JSONGroundTruth.read(bytes, source: "t.json") }
    #expect(error?.found == found)
  }

  /// Structure inside strings does not count.
  @Test func readsUpToTheLimits() throws {
    let name = String(repeating: "[{,:\\\"", count: 100) + "é.png"
    let rows = Array(repeating: "[1,2,3,4]", count: 20_000).joined(separator: ",")
    let text = "{\"\(name)\": {\"boxes\": [\(rows)], \"more\": [\"\\\\\", \"a\\\"]\"]}}"
    let pictures = try JSONGroundTruth.read([UInt8](text.utf8), source: "t.json")
    #expect(pictures.map(\.faces.count) == [20_000])
    let deep = String(repeating: "[", count: 30) + String(repeating: "]", count: 30)
    let ignored = try JSONGroundTruth.read(
      [UInt8]("{\"a.png\": {\"boxes\": [], \"more\": \(deep)}}".utf8), source: "t.json")
    #expect(ignored.count == 1)
  }

  /// The row itself is not in the message.
  @Test func namesALongRowByItsLength() {
    let row = Array(repeating: "1", count: 1000).joined(separator: ",")
    let error = truthError {
      _ = try JSONGroundTruth.read(Self.labels(row), source: "t.json")
    }
    #expect(error?.found == "the face of 1000 numbers")
  }
}
