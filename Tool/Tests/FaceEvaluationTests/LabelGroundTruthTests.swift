import FaceDecoding
import FaceEvaluation
import Testing

struct LabelGroundTruthTests {
  private func read(_ text: String) throws -> [GroundTruthPicture] {
    try JSONGroundTruth.read(Array(text.utf8), source: "labels.json")
  }

  @Test func readsBoxes() throws {
    let pictures = try read(
      """
      {"b.webp": {"width": 64, "height": 48, "boxes": [[1, 2, 11, 22.5]]},
       "a.webp": {"width": 5, "height": 5, "boxes": []}}
      """)
    #expect(pictures.map(\.name) == ["a", "b"])
    #expect(pictures[1].size == Size(width: 64, height: 48))
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

  /// Texts, and how their errors go on behind the file's name.
  @Test(arguments: [
    ("", ": "), ("[]", ": "), ("null", ": "), (#"{"a": 1}"#, ", a: "), (#"{"a": {}}"#, ", a: "),
    (#"{"a": {"boxes": [], "faces": []}}"#, ", a: "), (#"{"a": {"boxes": [[1, 2, 3]]}}"#, ", a: "),
    (#"{"a": {"boxes": [[0, 0, 10, 10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]]}}"#, ", a: "),
    (#"{"a": {"boxes": [[1, 2, 0, 9]]}}"#, ", a: "),
    (#"{"a": {"boxes": [[1, 2, 1e9, 9]]}}"#, ", a: "),
    (#"{"a": {"boxes": [[1, 2, null, 9]]}}"#, ", a.boxes[0][2]: "),
    (#"{"a": {"faces": [[1, 1, 2, 3, 4, 5]]}}"#, ", a: "), (#"{"..": {"boxes": []}}"#, ", ..: "),
    (#"{"a.png": {"boxes": []}, "a.jpg": {"boxes": []}}"#, ", a.png: "),
    (#"{"a": {"width": -1, "height": 5, "boxes": []}}"#, ", a: "), (#"{"a": {"boxes": [}}"#, ": "),
    (#"{"a": {"width": 1e99, "height": 5, "boxes": []}}"#, ": "),
    (#"{"a": {"boxes": []}, "a": {"boxes": []}}"#, ": found 2 paths of pictures"),
    // These differ in how Unicode writes a letter.
    ("{\"\u{FC}\": {\"boxes\": []}, \"u\u{308}\": {\"boxes\": []}}", ": found 2 paths of pictures"),
  ])
  func refuses(text: String, error: String) {
    #expect(refusal { _ = try read(text) }.hasPrefix("labels.json\(error)"))
  }
}
