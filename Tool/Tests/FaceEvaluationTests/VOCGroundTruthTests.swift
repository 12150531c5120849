// SPDX-License-Identifier: Apache-2.0
import Testing
import YOLOFaceDecoding
import YOLOFaceEvaluation

struct VOCGroundTruthTests {
  private func read(_ text: String) throws -> GroundTruthPicture {
    try VOCGroundTruth.read(
      Array("<annotation>\n\(text)</annotation>".utf8), source: "a.xml", name: "a")
  }

  private static func object(_ box: String, _ more: String = "") -> String {
    "<object><name>face</name>\(more)<bndbox>\(box)</bndbox></object>"
  }

  private static func box(to right: String = "40") -> String {
    "<xmin>10</xmin><ymin>20.5</ymin><xmax>\(right)</xmax><ymax>60</ymax>"
  }

  @Test func readsObjects() throws {
    let more = [
      "<part><name>head</name><bndbox><xmin>1</xmin></bndbox></part>", "<difficult>1</difficult>",
      "<difficult>0</difficult>",
    ]
    let picture = try read(
      """
      <filename>x.jpg</filename>
      <size><width>640</width><height>480</height><depth>3</depth></size>
      \(more.map { Self.object(Self.box(), $0) }.joined(separator: "\n"))
      """)
    #expect(picture.name == "a")
    #expect(picture.size == Size2D(width: 640, height: 480))
    #expect(
      picture.faces
        == [.counted, .ignored, .counted].map {
          GroundTruthFace(
            box: rectangle(10, 20.5, 30, 39.5), standing: $0, category: .init(name: "face"))
        })
  }

  @Test func theFirstElementOfAKindCounts() throws {
    let picture = try read(
      """
      <folder><![CDATA[a & b]]></folder>
      <size><width> 640
       </width><height>480</height></size><size><width>1</width></size>
      \(Self.object(Self.box() + "<xmin>0</xmin>"))
      """)
    #expect(picture.size == Size2D(width: 640, height: 480))
    #expect(picture.faces.map(\.box) == [rectangle(10, 20.5, 30, 39.5)])
  }

  @Test func aSizeOfZeroIsNone() throws {
    let picture = try read("<size><width>0</width><height>0</height></size>")
    #expect(picture.size == nil && picture.faces.isEmpty)
  }

  @Test(arguments: [
    (
      "<object></object>",
      "an object without a whole box, expected bndbox with xmin, ymin, xmax, ymax"
    ),
    (object("<xmin>1</xmin>"), "an object without a whole box"), ("<x:object/>", "the prefix x"),
    (object(box(to: "NaN")), "\"NaN\" in <xmax>"),
    (object(box(to: "1e999")), "\"1e999\" in <xmax>"),
    (object(box(to: "40\0junk")), "a zero byte"),
    (object(box(to: "4<!-- 0 -->0")), "\"4<!-- 0 -->0\" in <xmax>"),
    (object(box(to: "9")), "a box from 10.0, 20.5 to 9.0, 60.0"),
  ])
  func refuses(text: String, found: String) {
    #expect(refusal { _ = try read(text) }.hasPrefix("a.xml:2: found \(found)"))
  }

  @Test func refusesAnotherRoot() {
    let error = refusal {
      _ = try VOCGroundTruth.read(Array("<labels/>".utf8), source: "a.xml", name: "a")
    }
    #expect(error == "a.xml:1: found <labels>, expected <annotation> as the root")
  }

  /// What cannot be read costs nothing else.
  @Test func leavesOutObjects() throws {
    let faults = GroundTruthFaults()
    let text =
      "<annotation><object><name>face</name></object>"
      + Self.object(Self.box(to: "9")) + Self.object(Self.box(to: "40,5"), "<score>0.4</score>")
      + "</annotation>"
    let faces = try VOCGroundTruth.read(
      Array(text.utf8), source: "a.xml", name: "a", noting: faults
    ).faces
    #expect(faces.map(\.box) == [rectangle(10, 20.5, 30.5, 39.5)])
    #expect(faces[0].score == 0.4 && faces[0].standing == .ignored && faults.leftOutCount == 2)
  }
}
