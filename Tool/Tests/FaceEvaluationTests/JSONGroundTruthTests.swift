// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

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

  @Test func readsBoxes() throws {
    let pictures = try read(
      """
      {"b.webp": {"width": 64, "height": 48, "boxes": [[1, 2, 11, 22.5]]},
       "a.webp": {"width": 5, "height": 5, "boxes": []}}
      """)
    #expect(pictures.map(\.name) == ["a", "b"])
    #expect(pictures[1].size == Size2D(width: 64, height: 48))
    #expect(pictures[1].faces == [GroundTruthFace(box: rectangle(1, 2, 10, 20.5))])
  }

  @Test func readsFacesWithTheirPoints() throws {
    let faces = try read(
      """
      {"a": {"faces": [[1.0, 0, 0, 10, 20, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        [0.49, 0, 0, 10, 20], [0.5, 0, 0, 10, 20]]}}
      """)[0].faces
    #expect(faces.map(\.box) == Array(repeating: rectangle(0, 0, 10, 20), count: 3))
    #expect(faces.map(\.standing) == [.counted, .ignored, .counted])
    #expect(faces[0].landmarks?.points.flatMap { [$0.x, $0.y] } == (1...10).map { Double($0) })
    #expect(faces[1].landmarks == nil)
  }

  private static let otherKind = "found a value of another kind, expected"
  private static let forms =
    #"COCO's images and annotations, or for each picture such as {"a.png": {"boxes": [[x0, y0, x1, y1]]}}"#

  /// Texts, and how their errors go on behind the file's name.
  @Test(arguments: [
    ("", ":1: found the end of the text"), ("\n{", ":2: found the end of the text"),
    ("[}", ":1: found \"}\""), ("null", ": "), ("{\"a\":\n nan}", ":2: found \"nan}\""),
    ("\u{0}", ": "), ("{\"a\": {\"boxes\": [[1\0junk, 2, 3, 4]]}}", ": "),
    (String(repeating: "[", count: 1_000_000), ": "), (#"{"a": {"boxes": [}}"#, ":1: found \"}}\""),
    ("{\"NaN\":\n [-Infinity]}", ":2: found Infinity"),
    ("{\"a\": 1,\n\n\"b\": NaN}", ":3: found NaN"),
    ("{'a': 1}", ":1: found '"), ("{\"a\": True}", ":1: found True"),
    (#"{"images": []}"#, ": found no annotations, expected one"),
    (#"{"images": [1], "annotations": []}"#, ", images[0]: \(otherKind) an object"),
    (
      #"{"images": [{"id": 1, "file_name": 2}], "annotations": []}"#,
      ", images[0].file_name: \(otherKind) a string"
    ),
    (#"{"a": {"boxes": [["x", 1, 2, 3]]}}"#, ", a: found the face"),
    (#"{"a": {"boxes": 1}}"#, ", a.boxes: \(otherKind) an array"),
    (#"{"a": [[1, 2, 3, 4]]}"#, ", a: \(otherKind) \(forms)"),
    (#"{"version": "5.0"}"#, ", version: \(otherKind) \(forms)"),
    (#"{"a": 1}"#, ", a: "), (#"{"a": {}}"#, ", a: "),
    (#"{"a": {"boxes": [], "faces": []}}"#, ", a: "), (#"{"a": {"boxes": [[1, 2, 3]]}}"#, ", a: "),
    (#"{"a": {"boxes": [[0, 0, 10, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]}}"#, ", a: "),
    (#"{"a": {"boxes": [[1, 2, 0, 9]]}}"#, ", a: "),
    (#"{"a": {"boxes": [[1, 2, 1e9, 9]]}}"#, ", a: "),
    (#"{"a": {"boxes": [[1, 2, null, 9]]}}"#, ", a: found the face"),
    (#"[{"image": "a.png"}]"#, ", [0]: found an object of another kind"),
    (#"{"image": "a", "faces": [], "view": {}}"#, ", [0]: found positions in a view"),
    (#"[{"image_id": 1, "bbox": [1, 2, -3, 4]}]"#, ", [0]: found the box"),
    (#"[1]"#, ", [0]: \(otherKind) \(forms)"),
    (#"{"a": {"faces": [[1, 1, 2, 3, 4, 5]]}}"#, ", a: "), (#"{"..": {"boxes": []}}"#, ", ..: "),
    (#"{"a.png": {"boxes": []}, "a.jpg": {"boxes": []}}"#, ", a.png: "),
    (#"{"a": {"width": -1, "height": 5, "boxes": []}}"#, ", a: "),
    (#"{"a": {"width": 1e99, "height": 5, "boxes": []}}"#, ": "),
    (#"{"a": {"boxes": []}, "a": {"boxes": []}}"#, ": found 2 paths of pictures"),
    // These differ in how Unicode writes a letter.
    ("{\"\u{FC}\": {\"boxes\": []}, \"u\u{308}\": {\"boxes\": []}}", ": found 2 paths of pictures"),
  ])
  func refuses(text: String, error: String) {
    #expect(refusal { _ = try read(text) }.hasPrefix("t.json\(error)"))
  }

  @Test func namesWhatIsNotUTF8() {
    for name in ["c\u{FF}", #"\ud800"#] {
      let text = "{\n\"\(name).png\": {\"boxes\": []}}"
      let bytes = text.unicodeScalars.map { UInt8($0.value) }
      let error = refusal { _ = try JSONGroundTruth.read(bytes, source: "t.json") }
      #expect(!error.contains("array"), "\(error)")
    }
  }

  /// The line of the file, though its lines are read as an array's elements.
  @Test func namesTheLineOfLines() {
    let text = Array("{\"image\": \"a\", \"faces\": []}\n\n{\"image\": +}\n".utf8)
    let error = refusal { _ = try JSONGroundTruth.readLines(text, source: "r.jsonl") }
    #expect(error.hasPrefix("r.jsonl:3: found \"+}]\""), "\(error)")
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

struct StoredResultsTests {
  /// As `detect` and COCO's tools write results: a picture without faces, one that failed, and points.
  @Test func readsResults() throws {
    let report =
      #"{"image":"../p/e/a.png","width":64,"height":48,"faces":[{"score":0.4,"box":"#
      + #"{"x":1,"y":2,"width":3,"height":4},"landmarks":{"rightEye":[1,2],"leftEye":[3,4],"#
      + #""nose":[5,6],"rightMouth":[7,8],"leftMouth":[9,10]}}]}"#
    let empty = #"{"image":"b.png","width":9,"height":9,"faces":[]}"#
    let failure = #"{"error":"found no picture","image":"c.png"}"#
    let array = Array("[\n\(report),\n\(empty),\n\(failure)\n]".utf8)
    let lines = Array("\(report)\r\n\n\(empty)\n\(failure)".utf8)
    for pictures in [
      try JSONGroundTruth.read(array, source: "r"),
      try JSONGroundTruth.readLines(lines, source: "r"),
    ] {
      #expect(pictures.map(\.name) == ["p/e/a", "b"] && pictures[1].faces.isEmpty)
      #expect(pictures[0].size == Size2D(width: 64, height: 48))
      let face = pictures[0].faces[0]
      #expect(face.box == rectangle(1, 2, 3, 4) && face.score == 0.4 && face.standing == .ignored)
      #expect(face.landmarks?.leftMouth == Point2D(x: 9, y: 10))
    }
    let coco =
      #"[{"image_id":7,"category_id":2,"bbox":[1,2,3,4],"score":0.9},"#
      + #"{"image_id":7,"category_id":2,"bbox":[5,6,7,8],"score":"1"},"#
      + #"{"image_id":8,"file_name":"d/a.png","category_id":2,"bbox":[1,2,3,4],"score":0.9}]"#
    let pictures = try JSONGroundTruth.read(Array(coco.utf8), source: "r")
    #expect(pictures.map(\.name) == ["7", "d/a"] && pictures.map(\.identifier) == ["7", nil])
    #expect(pictures[0].faces.map(\.score) == [0.9, 1] && pictures[1].faces.count == 1)
  }

  @Test(arguments: [
    ("{}\n{}", true), ("{}\r\n\n{}\n", true), ("{}", false), ("{}\n", false), ("[{}\n,{}]", false),
    ("{\n\"a\": {}\n}", false), ("", false),
  ])
  func tellsLinesFromOneText(text: String, hasLines: Bool) {
    #expect(JSONGroundTruth.hasLines(Array(text.utf8)) == hasLines)
  }

  /// What an average would not survive.
  @Test(arguments: [#""score":1e300"#, #""landmarks":{\#(points),"leftMouth":[1e308,1e308]}"#])
  func leavesOutWhatIsBeyondAllPictures(member: String) throws {
    let box = #""box":{"x":1,"y":2,"width":3,"height":4}"#
    let text = "[{\"image\":\"a.png\",\"faces\":[{\(box)},{\(box),\(member)}]}]"
    let faults = GroundTruthFaults()
    let pictures = try JSONGroundTruth.read(Array(text.utf8), source: "r", noting: faults)
    #expect(pictures[0].faces.count == 1 && faults.leftOutCount == 1)
  }

  private static let points =
    #""rightEye":[1,2],"leftEye":[3,4],"nose":[5,6],"rightMouth":[7,8]"#
}
